import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aProduct } from '../support/builders.ts';
import { cli } from '../support/cli.ts';
import { put } from '../support/contents.ts';
import { addFiles } from '../support/store-folder.ts';
import { anAgent } from '../surface/agents.ts';
import { anAccount, aStranger } from '../surface/buyers.ts';
import { send } from '../surface/client.ts';
import { IN_MEMORY, openExpressMount } from '../surface/express-mount.ts';
import type { Mount } from '../surface/mount.ts';
import { reportForm } from '../surface/report-forms.ts';
import { OTHER, openShop } from '../surface/shop.ts';
import { aClosedTicket, aPaymentEvent, aShoppedAccount, aTicket } from '../surface/shop-targets.ts';

const PAGE = 'https://example.com/notes';

const manifest = aProduct().delivery;
const APP = { version_scheme: 'sparkle', delivery: { ...manifest, strategy: 'macos-app' } } as const;

let mount: Mount;
let token: string;
let account: number;
let event: number;

beforeAll(async () => {
  mount = await openExpressMount(IN_MEMORY);
  await openShop(mount.service);
  token = (await anAgent(mount.service, 'everything')).key;
  account = await aShoppedAccount(mount.service);
  event = await aPaymentEvent(mount.service);
});
afterAll(() => mount.close());

/** Runs a command on the server, in a process without a store in its environment. */
const onServer = (args: readonly string[], key = token) =>
  cli(['--server', mount.urls.shop, ...args], { DATA_DIR: '/nowhere', SHOP_TOKEN: key });

const told = async (args: readonly string[]) => {
  const { code, stdout, stderr } = await onServer(args);
  return { code, stdout, stderr };
};

describe('a command on a remote server', () => {
  test.each([
    ['account list'],
    ['account show ACCOUNT'],
    ['account show buyer-ACCOUNT@example.com'],
    ['order list --account ACCOUNT'],
    ['order show id:ACCOUNT'],
    ['order refund id:ACCOUNT --dry-run'],
    ['search ACCOUNT'],
    ['doctor'],
    ['subscription due --state ending'],
    ['subscription list --account ACCOUNT'],
    ['sums show'],
    ['sums export'],
    ['subscription show ACCOUNT --account ACCOUNT'],
    ['grant list --account buyer-ACCOUNT@example.com'],
    ['device list --account ACCOUNT'],
    ['key list --account ACCOUNT'],
    ['product list'],
    ['product show tool'],
    ['usage show --product tool --days 3'],
    ['usage versions --product tool'],
    ['policy show'],
    ['release list tool'],
    ['reports list'],
    ['look show'],
    ['notices show'],
    ['owner list'],
    ['agent-token list'],
    ['event list --open'],
    ['event show EVENT'],
    ['audit list --limit 5'],
    ['account erase ACCOUNT --dry-run'],
    ['account ways-in ACCOUNT'],
    ['account merge ACCOUNT OTHER --dry-run'],
  ])('the command %s reads from the server', async (line) => {
    const args = line
      .replaceAll('ACCOUNT', String(account))
      .replace('EVENT', String(event))
      .replace('OTHER', String(event))
      .split(' ');
    const { code, stdout, stderr } = await told([...args, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.stringify(JSON.parse(stdout))).not.toMatch(/password_hash|"hash":/);
    expect((await told(args)).stdout).not.toMatch(/undefined|\[object/);
  });

  test('a remote command changes the store in the token’s name', async () => {
    const own = await aShoppedAccount(mount.service);
    const owner = await anAccount(mount.service, { entitlements: [{ product_id: OTHER }] });
    const [open, closed] = [await aTicket(mount.service), await aClosedTicket(mount.service)];
    const policy = join(await mkdtemp(join(tmpdir(), 'cli-remote-')), 'policy.json');
    await writeFile(
      policy,
      JSON.stringify({ min_client_version: '1.0.0', ttl_days: 7, recheck_hours: 12, revoked: [] }),
    );
    const keys = join(dirname(policy), 'keys.csv');
    await writeFile(keys, `key,email\n${randomUUID()},bob@example.com\n`);
    for (const line of [
      `key import ${keys} --product other`,
      `policy set ${policy} --yes`,
      `grant --account ${own} --product skill --device-limit 2`,
      `grant extend ${own} --account ${own} --updates-until never --device-limit 5`,
      `device release device-${own} --account ${own} --product tool --yes`,
      `key create --account ${own} --name remote`,
      `key create --account ${own} --name cli --client cli --device laptop`,
      `account link --account ${own}`,
      `order refund id:${own} --yes`,
      `grant revoke ${own} --account ${own} --yes`,
      'event replay --refused',
      `reports answer ${open} --text-file ${policy} --file ${policy}`,
      `look set name=Tools-${own} withdrawal.days=14 withdrawal.time_zone=UTC withdrawal.terms_url=`,
      `reports close ${open}`,
      `reports reopen ${closed}`,
      `account rename ${own} --name Ada`,
      `account limit ${own} 900`,
      `device withdraw device-${own} --product tool --yes`,
      `device restore device-${own} --product tool`,
      `key create --license --account ${owner} --product other`,
      `account lock-out ${own} --yes`,
      `account merge ${owner} ${own} --yes`,
      `account suspend ${own}`,
      `account reinstate ${own}`,
      `account add --email far-${own}@example.com`,
    ]) {
      expect(await onServer(line.split(' ')), line).toMatchObject({ code: 0, stderr: '' });
    }
    const { stdout } = await onServer(['audit', 'list', '--account', String(own), '--json']);
    const entries = JSON.parse(stdout) as { action: string; by: { kind: string; name?: string } }[];
    const byToken = entries.filter(({ by }) => by.name === 'everything agent').map(({ action }) => action);
    expect(byToken).toEqual(
      expect.arrayContaining([
        'entitlement.created',
        'device.released',
        'key.created',
        'order.refunded',
        'account.changed',
      ]),
    );
  });

  test('a remote publish sends the file through a signed upload, once', async () => {
    const args = ['publish', 'retired', 'package.json', '--version', '3.0.0', '--channel', 'dev', '--json'];
    for (const result of ['created', 'unchanged']) {
      const { code, stderr, json } = await onServer(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(json()).toMatchObject({ version: '3.0.0', filename: 'package.json', channel: 'dev', result });
    }
    const other = await onServer([...args, '--minimum-system', '13.0.0']);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('with other terms for Sparkle') });
  });

  test('a remote publish sends an application with its patches and all Sparkle terms', async () => {
    await put(mount.service, { products: [aProduct({ id: 700, slug: 'app', ...APP })] });
    const folder = await mkdtemp(join(tmpdir(), 'cli-remote-'));
    await addFiles(folder, { 'app.zip': 'app', 'app.delta': 'patch' });
    const publish = async (...args: string[]) => {
      const { code, stderr, json } = await onServer(['publish', 'app', join(folder, 'app.zip'), ...args, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      return json();
    };
    await publish('--version', '1.0', '--build', '100');
    const systems = ['--minimum-system', '13.0', '--maximum-system', '15.0', '--minimum-autoupdate', '90'];
    const texts = ['--link', PAGE, '--release-notes-link', `en=${PAGE}`, '--full-release-notes-link', PAGE];
    const urgency = ['--critical', '95', '--informational', '50', '--phased-rollout', '3600'];
    const patch = ['--delta', `100=${join(folder, 'app.delta')}`];
    const terms = [...systems, ...texts, ...urgency, ...patch];
    expect(await publish('--version', '1.1', '--build', '110', ...terms)).toMatchObject({
      result: 'created',
      deltas: [{ from_build: '100', filename: 'app.delta', signature: expect.stringMatching(/==$/) }],
      sparkle: {
        minimum_system_version: '13.0',
        maximum_system_version: '15.0',
        minimum_autoupdate_version: '90',
        critical: { below_version: '95' },
        informational: { versions: [], below_version: '50' },
        link: PAGE,
        release_notes_link: { en: PAGE },
        full_release_notes_link: PAGE,
        phased_rollout_interval: 3600,
      },
    });
    expect(await publish('--version', '1.1', '--build', '110', ...patch)).toMatchObject({ result: 'unchanged' });
    const installer = ['--build', '120', '--installation-type', 'package'];
    expect(await publish('--version', '1.2', ...installer)).toMatchObject({ installation_type: 'package' });
    await rm(folder, { recursive: true });
  });

  test('a remote command saves the file of a ticket by its link', async () => {
    const { key } = await aStranger(mount.service);
    const form = reportForm({ kind: 'general', summary: 'It stops', detail: 'See it.' }, { bytes: Buffer.from('log') });
    const sent = await send(mount, 'POST', '/api/support/reports', { key, form });
    const out = join(await mkdtemp(join(tmpdir(), 'cli-remote-')), 'log.zip');
    const save = (...more: string[]) =>
      onServer(['reports', 'bundle', String(sent.body.ticket.id), '--out', out, ...more]);
    expect(await save('--number', '7')).toMatchObject({ code: 1, stderr: expect.stringContaining('no such file') });
    expect(await save()).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(out, 'utf8')).toBe('log');
  });

  test('a remote command prints the server’s refusals', async () => {
    const missing = await onServer(['order', 'show', '999999']);
    expect(missing).toMatchObject({ code: 1, stderr: 'There is no order with the id or number 999999.\n' });
    const refused = await onServer(['account', 'add', '--email', `buyer-${account}@example.com`, '--json']);
    expect([refused.code, refused.json().error]).toEqual([1, 'email_taken']);
    const { key } = await anAgent(mount.service, 'catalog');
    expect(await onServer(['account', 'list'], key)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('role'),
    });
  });

  test.each([
    ['no token', ['account', 'list'], '', 'Set SHOP_TOKEN'],
    ['no endpoint', ['signing-key', 'list'], 'x', 'has no endpoint on a server'],
    [
      'a password, which no token may set',
      ['account', 'password', '--account', '1'],
      'x',
      'has no endpoint on a server',
    ],
  ])('a remote command with %s says so', async (_, args, key, sentence) => {
    const { code, stderr } = await onServer(args, key);
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  });

  test.each([
    'backup /nowhere',
    'export /nowhere',
    'import examples/store/store.json',
    'migrate --from folder:/nowhere --to folder:/elsewhere',
    'openapi',
  ])('the command %s never runs on a local store instead of the server’s', async (line) => {
    const { code, stderr } = await onServer(line.split(' '));
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no endpoint on a server')]);
  });

  test('a remote command says that no server answers', async () => {
    const { code, stderr } = await cli(['--server', 'http://127.0.0.1:1', 'account', 'list'], { SHOP_TOKEN: 'x' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:1 does not answer')]);
  });

  test.each([
    ['a page', 200, '<html>Welcome</html>', 'no JSON'],
    ['an answer that broke off', 200, '{"data":[', 'broke off'],
    ['null', 200, 'null', 'no JSON'],
    ['a page about a fault', 502, '<html>Bad gateway</html>', 'answered 502.'],
    ['a redirect', 301, '', 'answered 301, and leads to https://shop.example.com/.'],
  ])('a remote command that is answered %s reports no success', async (_, status, body, sentence) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, status === 301 ? { Location: 'https://shop.example.com/' } : {}).end(body);
    });
    const port = await new Promise((listening) => {
      server.listen(0, '127.0.0.1', () => listening((server.address() as AddressInfo).port));
    });
    for (const line of ['agent-token revoke 5', 'account list', 'account show ann@example.com']) {
      const args = ['--server', `http://127.0.0.1:${port}`, ...line.split(' ')];
      const { code, stdout, stderr } = await cli(args, { SHOP_TOKEN: 'x' });
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(sentence)]);
      expect(stderr.trimEnd()).not.toContain('\n');
    }
    server.close();
  });

  test('a remote command says that a server speaks no TLS, in one line', async () => {
    const server = mount.urls.shop.replace('http:', 'https:');
    const { code, stderr } = await cli(['--server', server, 'account', 'list'], { SHOP_TOKEN: 'x' });
    expect([code, stderr.trimEnd()]).toEqual([1, expect.stringMatching(/^https:.* does not answer: .+\.$/)]);
  });

  test('a remote command takes a token with the end of its line, and refuses what no header can hold', async () => {
    expect(await onServer(['account', 'list'], `${token}\n`)).toMatchObject({ code: 0, stderr: '' });
    expect(await onServer(['account', 'list'], '토큰')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Set SHOP_TOKEN to a token'),
    });
  });
});
