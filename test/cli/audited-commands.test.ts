import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTrial } from '../../domain/licensing/trial.ts';
import { openService } from '../processes/data-dir.ts';
import { anAccount } from '../support/account-builders.ts';
import { aDevice, anEntitlement, aProduct, NOW } from '../support/builders.ts';
import { cli, type Ran } from '../support/cli.ts';
import { put } from '../support/contents.ts';
import { done } from '../support/outcomes.ts';
import { PERMIT } from '../support/permits.ts';
import { addFiles } from '../support/store-folder.ts';

/** Ids from earlier steps, and those of the shop. */
const ids: Record<string, string> = {};
let folder: string;
const file = (name: string) => join(folder, name);

type Step = {
  readonly args: () => readonly string[];
  /** The actions of the entries that the command creates, newest first. */
  readonly actions: readonly string[];
  /** Stores an id from the output under a name. */
  readonly keeps?: readonly [string, (json: Readonly<Record<string, unknown>>) => unknown];
  /** The name of the command, if its arguments do not show it. */
  readonly through?: string;
};

const step = (args: Step['args'], actions: Step['actions'], more: Partial<Step> = {}): Step => ({
  args,
  actions,
  ...more,
});

/** Calls of commands that no other test of commands makes, and of one that writes in each other way. */
const STEPS: Readonly<Record<string, Step>> = {
  import: step(() => [file('store.json')], ['tag.created']),
  'account add': step(() => ['--email', 'ann@example.com'], ['account.created']),
  'key revoke-batch': step(() => [ids['batch'] as string, '--yes'], ['key_batch.revoked']),
  'key import': step(
    () => [file('keys.csv'), '--product', 'tool'],
    ['account.created', 'entitlement.created', 'key.created'],
  ),
  'owner add': step(() => ['olga@example.com'], ['account.link_mailed', 'member.created', 'account.created'], {
    keeps: ['owner', ({ account_id }) => account_id],
  }),
  'owner change': step(() => [String(ids['owner']), '--name', 'Olga'], ['member.changed']),
  'owner link': step(() => [String(ids['owner'])], ['account.link_created']),
  'owner remove': step(() => ['2', '--yes'], ['member.removed']),
  'agent-token create': step(() => ['--role', 'read', '--name', 'reader'], ['agent_token.created'], {
    keeps: ['token', ({ id }) => id],
  }),
  'agent-token revoke': step(() => [ids['token'] as string], ['agent_token.revoked']),
  'grant add': step(() => ['--account', '1', '--product', 'tool', '--device-limit', '3'], ['entitlement.created'], {
    keeps: ['grant', ({ id }) => id],
    through: 'grant',
  }),
  'grant transfer': step(
    () => ['8', '--account', '1', '--to', 'new-owner@example.com', '--yes'],
    ['account.created', 'entitlement.transferred'],
  ),
  'license export-offline': step(() => ['--out', file('licenses')], ['store.offline_export_begun']),
  'device release': step(() => ['laptop', '--account', '1', '--product', 'tool', '--yes'], ['device.released']),
  'trial change': step(() => ['laptop', '--product', 'tool', '--days', '9'], ['trial.changed']),
  'team invite': step(() => ['1', 'bo@example.com', '--product', 'team'], ['seat.created']),
  'team remove': step(() => ['1', '50', '--product', 'team', '--yes'], ['seat.removed']),
  'account merge': step(() => ['2', '1', '--yes'], ['account.merged', 'account.merged']),
  publish: step(
    () => ['tool', file('tool.zip'), '--version', '1.0.0', '--released-at', '2100-01-01T00:00:00Z'],
    ['release.created'],
  ),
  'release move': step(() => ['tool', '1.0.0', '--channel', 'beta'], ['release.moved']),
  'look set': step(() => ['name=[Beta] {Tools', 'notify.sale=daily'], ['storefront.created']),
  'webhook create': step(() => ['--url', 'https://example.com/hook'], ['webhook.created'], {
    keeps: ['webhook', ({ id }) => id],
  }),
  'webhook change': step(() => [String(ids['webhook']), '--pause'], ['webhook.changed']),
  'webhook rotate': step(() => [String(ids['webhook'])], ['webhook.changed']),
  'webhook delete': step(() => [String(ids['webhook']), '--yes'], ['webhook.deleted']),
  export: step(() => [file('export')], ['store.export_begun']),
  backup: step(() => [file('backups')], ['store.backup_begun']),
};

const run = (name: string, args: readonly string[]): Promise<Ran> =>
  cli([...name.split(' '), '--json', ...args], { DATA_DIR: file('data') });

const makeShop = async (): Promise<void> => {
  const { service, close } = await openService(file('data'));
  await put(service, {
    accounts: [anAccount({ id: 1 }), anAccount({ id: 2 })],
    products: [
      aProduct({ id: 1, slug: 'tool', license_keys: true }),
      aProduct({ id: 2, slug: 'team', slots: 'persons' }),
    ],
    entitlements: [
      anEntitlement({ id: 8, account_id: 1, product_id: 1 }),
      anEntitlement({ id: 9, account_id: 1, product_id: 2 }),
    ],
  });
  done(await service.get('addMember')(await PERMIT, { email: 'buyer-2@example.com', name: 'Bo', role: 'support' }));
  const { slots } = await service.get('devices').find(1, 1, 'laptop');
  await service.get('devices').activate(await PERMIT, 1, 1, aDevice({ device_id: 'laptop' }), slots);
  const person = { id: 50, email: 'a@example.com', role: 'billing', invited_at: NOW, account_id: null } as const;
  const team = await service.get('teams').read(1, 2);
  await service
    .get('teams')
    .change(await PERMIT, team, { team: { ...team.team, gave_up: true, people: [person] }, after: person });
  const terms = { product_id: 1, access_days: null, updates_days: null, device_limit: null };
  const created = await service.get('createKeyBatch')(await PERMIT, { name: 'Reviewers', count: 1, ...terms });
  ids['batch'] = String(done(created).batch.id);
  const trial = newTrial(1, 14, service.get('clock').now());
  await service.get('trials').start(await PERMIT, 'laptop', trial, { trial: undefined, version: null });
  done(await service.get('createSigningKey')(await PERMIT, 'policy'));
  await close();
};

/** The newest `count` entries, read again. */
const newest = async (count: number) => {
  const { service, close } = await openService(file('data'));
  const input = { account_id: null, product: null, action: null, by: null, subject: null, since: null, until: null };
  const entries = done(await service.get('listAudit')({ ...input, limit: count + 1 }));
  await close();
  return entries;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-audited-'));
  await addFiles(folder, {
    'store.json': JSON.stringify({ format: 1, tags: [{ id: 1, name: { en: 'New' } }] }),
    'tool.zip': 'tool',
    'keys.csv': 'key,email\n80e15db5-c796-436b-850c-8f9c98a48abe,ada@example.com\n',
  });
  await makeShop();
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the audit log and the commands', () => {
  test.each(
    Object.entries(STEPS),
  )('the command %s leaves its audit entries and names itself, the operator and the machine', async (name, one) => {
    const [before] = await newest(0);
    const ran = await run(name, one.args());
    expect(ran.code, ran.stderr).toBe(0);
    if (one.keeps) ids[one.keeps[0]] = String(one.keeps[1](ran.json()));
    const entries = await newest(one.actions.length);
    expect(
      entries
        .slice(0, -1)
        .map(({ action }) => action)
        .toSorted(),
    ).toEqual([...one.actions].toSorted());
    expect(entries.at(-1)).toEqual(before);
    const by = { kind: 'command', id: userInfo().username, account_id: null, through: one.through ?? name };
    for (const entry of entries.slice(0, -1)) expect(entry.by).toEqual({ ...by, from: hostname() });
  });

  test('the table shows the product and version of a release, and the use of a signing key', async () => {
    const { stdout } = await cli(['audit', 'list', '--since', '2000-01-01'], { DATA_DIR: file('data') });
    expect(stdout).toMatch(/ release\.created +\d+ +- +tool +version: 1\.0\.0\n/);
    expect(stdout).toMatch(/ release\.moved +\d+ +- +tool +version: 1\.0\.0, channel stable → beta\n/);
    expect(stdout).toMatch(/ device\.released +laptop +1 +tool/);
    expect(stdout).toMatch(/ signing_key\.created .* use: \w+\n/);
  });

  test('a refused command leaves no audit entry', async () => {
    const [before] = await newest(0);
    for (const [name, ...args] of [
      ['key revoke', '999'],
      ['grant revoke', ids['grant'] as string, '--account', '999', '--yes'],
      ['signing-key activate', '--yes'],
      ['export', file('export')],
    ]) {
      expect(await run(name as string, args)).toMatchObject({ code: 1 });
    }
    expect(await newest(0)).toEqual([before]);
  });
});
