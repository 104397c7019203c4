import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { openService } from '../processes/data-dir.ts';
import { WHOLE } from '../support/billing-entries.ts';
import { aDevice, NOW } from '../support/builders.ts';
import { cli, type Ran } from '../support/cli.ts';
import { accountEntry, addFiles, productEntry, releaseEntry } from '../support/store-folder.ts';
import { everyCommand } from './every-command.ts';
import { REFUSALS, type Refusal } from './refusals.ts';

/** The number of commands that run concurrently. */
const AT_ONCE = 3;

const POLICY = { min_client_version: '1.0.0', ttl_days: 7, recheck_hours: 12 };

const DOCUMENT = {
  policy: { ...POLICY, revoked: [{ product_id: 1, device_id: 'stolen' }] },
  format: 1,
  products: [productEntry({ id: 1, slug: 'memo' })],
  releases: [releaseEntry({ id: 1 })],
  accounts: [accountEntry({ id: 1, ...WHOLE }), accountEntry({ id: 2 })],
};

let folder: string;
let kid: string;
const results = new Map<string, Ran>();

const placed = (text: string): string => text.replace('%', folder).replace('KID', kid);
const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}, input = ''): Promise<Ran> =>
  cli([...words, '--json'], { DATA_DIR: join(folder, 'data'), ...env }, input);

const done = async (...words: string[]) => {
  const ran = await run(words);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return ran.json();
};

const refused = ({ words, env = {} }: Refusal): Promise<Ran> => {
  const variables = Object.entries(env).map(([name, value]) => [name, placed(value)]);
  return run(words.split(' ').map(placed), Object.fromEntries(variables), 'a long enough password\n');
};

/** Everything that a command could have changed: the table, including the audit log, and all files in the folder. */
const dump = async () => {
  using db = new DatabaseSync(join(folder, 'data', 'store.db'), { readOnly: true });
  const items = db.prepare('SELECT * FROM items ORDER BY pk, sk').all();
  const names = (await readdir(folder, { recursive: true })).filter((name) => !name.includes('store.db'));
  const keys = (await readdir(join(folder, 'data', 'keys'))).sort();
  const texts = await Promise.all(keys.map((name) => readFile(join(folder, 'data', 'keys', name), 'utf8')));
  return { items, names: names.sort(), texts };
};

/** Gives the laptop of account 1 a slot of product 1, and the shop an empty batch of license keys. */
const seatLaptop = async (): Promise<void> => {
  const { service, close } = await openService(join(folder, 'data'));
  const { slots } = await service.get('devices').find(1, 1, 'laptop');
  await service.get('devices').activate(grantPermit(), 1, 1, aDevice({ device_id: 'laptop' }), slots);
  const terms = { product_id: 1, access_days: null, updates_days: null, device_limit: null };
  const batch = { id: 1, name: 'Reviewers', ...terms, created_at: NOW, count: 0, revoked_at: null };
  await service.get('keyBatches').add(grantPermit(), batch, []);
  await close();
};

let [before, after]: Awaited<ReturnType<typeof dump>>[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-refusals-'));
  await addFiles(folder, {
    'store.json': JSON.stringify(DOCUMENT),
    'tool.zip': 'tool',
    'policy.json': '{}',
    'lifts.json': JSON.stringify({ ...POLICY, revoked: [] }),
    'full/file': 'full',
  });
  await done('import', join(folder, 'store.json'));
  await done('signing-key', 'create');
  await done('signing-key', 'create', '--use', 'license');
  await done('signing-key', 'create', '--use', 'artifact');
  kid = (await done('signing-key', 'list', '--use', 'license'))[0].kid;
  await seatLaptop();
  before = await dump();
  const left = [...REFUSALS];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) results.set(next.words, await refused(next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  after = await dump();
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('refused commands', () => {
  test.each(
    REFUSALS.map(({ words, error }) => [words, error]),
  )('the command "%s" is refused with %s, in one line and in JSON', (words, error) => {
    const { code, stderr, json } = results.get(words) as Ran;
    const { message, faults = [], ...more } = json();
    expect([code, more.error]).toEqual([1, error]);
    const lines = [message, ...faults.map((fault: Fault) => `${fault.path}: ${fault.message}`)];
    expect(stderr).toBe(`${lines.join('\n')}\n`);
    expect(message).toMatch(/^\S.*\.$/);
  });

  test('a refused command changes neither the store, its keys nor its files, and leaves no audit entry', () => {
    expect(after).toEqual(before);
  });

  test('every command that accepts --yes is refused without it in the list', async () => {
    const asking = (await everyCommand())
      .filter(({ command }) => command.options.some(({ long }) => long === '--yes'))
      .map(({ words }) => words.join(' '));
    const refusedUnasked = (name: string): boolean =>
      REFUSALS.some(({ words, error }) => words.startsWith(`${name} `) && error === 'confirmation_required');
    expect(asking.filter((name) => !refusedUnasked(name))).toEqual([]);
  });
});
