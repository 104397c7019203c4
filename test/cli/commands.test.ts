import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli, type Ran } from '../support/cli.ts';
import { accountEntry, addFiles, productEntry, releaseEntry } from '../support/store-folder.ts';

let folder: string;
let document: string;
let first: Ran;

const run = (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: join(folder, 'data') });
const json = async (...args: string[]) => (await run(...args, '--json')).json();

const STORE = {
  format: 1,
  products: [productEntry({ id: 1, slug: 'tool' })],
  releases: [releaseEntry({ id: 1 })],
  accounts: [accountEntry({ id: 1 }), accountEntry({ id: 2 })],
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
  document = join(folder, 'store.json');
  await addFiles(folder, {
    'store.json': JSON.stringify(STORE),
    'tool.zip': 'tool',
    'other.zip': 'other',
    'notes.md': 'New.\n',
  });
  first = await run('import', document, '--json');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the import command', () => {
  test('import prints one JSON value and no progress bar in a pipe', () => {
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(first.json()).toMatchObject({
      products: { created: 1 },
      releases: { created: 1 },
      accounts: { created: 2 },
    });
  });

  test('a second import changes nothing and prints a table that says so', async () => {
    expect(await run('import', document)).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'section   created  updated  unchanged',
        'products        0        0          1',
        'releases        0        0          1',
        'accounts        0        0          2\n',
      ].join('\n'),
      json: expect.any(Function),
    });
  });

  test('import says that a document is empty', async () => {
    await writeFile(join(folder, 'empty.json'), JSON.stringify({ format: 1 }));
    expect(await run('import', join(folder, 'empty.json'))).toMatchObject({
      code: 0,
      stdout: 'The document is empty, so nothing was imported.\n',
    });
  });

  test('import names each of five faults, exits with 1 and writes nothing', async () => {
    const broken = {
      ...STORE,
      products: [productEntry({ id: 2, slug: 'tool', category_ids: [9], tag_ids: [8] })],
      releases: [releaseEntry({ id: 2, version: 'x.y' })],
      accounts: [accountEntry({ id: 3 }), accountEntry({ id: 3, email: 'c@example.com' })],
    };
    await writeFile(join(folder, 'broken.json'), JSON.stringify(broken));
    const refused = await run('import', join(folder, 'broken.json'), '--json');
    expect(refused.code).toBe(1);
    expect(refused.stderr.trimEnd().split('\n')).toEqual([
      'The document has 5 faults; nothing was imported.',
      'accounts.1.id: 3 is already the id of accounts.0',
      'products.0.slug: "tool" is already the slug of product 1',
      'products.0.category_ids.0: there is no category 9',
      'products.0.tag_ids.0: there is no tag 8',
      'releases.0.version: "x.y" is no version of the scheme semver, which product 1 has',
    ]);
    expect(refused.json().faults).toHaveLength(5);
    expect((await json('account', 'list')).map(({ id }: { id: number }) => id)).toEqual([1, 2]);
  });

  test('import prints the JSON Schema of a document without a store', async () => {
    const data = join(folder, 'none');
    const { code, json: schema } = await cli(['import', '--schema'], { DATA_DIR: data });
    expect([code, schema().title, existsSync(data)]).toEqual([0, 'Store document', false]);
  });
});

describe('the account command', () => {
  test('account add accepts each address once', async () => {
    const added = await json('account', 'add', '--email', 'ann@example.com', '--name', 'Ann');
    expect(added).toMatchObject({ id: expect.any(Number), email: 'ann@example.com', name: 'Ann' });
    const again = await run('account', 'add', '--email', 'Ann@example.com', '--json');
    expect(again).toMatchObject({ code: 1, stderr: 'Another account has the address ann@example.com.\n' });
    expect(again.json()).toMatchObject({ error: 'email_taken' });
  });
});

describe('the account link command', () => {
  test('account link prints the address of a page on the account host that signs in once, within the hour', async () => {
    const made = await cli(['account', 'link', '--account', '1', '--json'], {
      DATA_DIR: join(folder, 'data'),
      ACCOUNT_URL: 'https://account.example.com/',
    });
    const { url, expires_at, ...rest } = made.json();
    expect(rest).toEqual({ account_id: 1 });
    expect(url).toMatch(/^https:\/\/account\.example\.com\/sign-in\/link\?code=[\w-]{43}$/);
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
    expect([minutes > 55, minutes <= 60]).toEqual([true, true]);
    expect((await run('account', 'link', '--account', '1')).stdout).toContain(
      'http://127.0.0.1:8790/sign-in/link?code=',
    );
  });
});

describe('the key command', () => {
  test('key create stays within the quota for simultaneous processes, and key list never shows a hash', async () => {
    const create = ['key', 'create', '--account', '1', '--name', 'ci', '--json'];
    const created = await Promise.all(Array.from({ length: 4 }, () => run(...create)));
    expect(created.map(({ code }) => code).sort()).toEqual([0, 0, 0, 1]);
    const refused = created.find(({ code }) => code === 1);
    expect(refused?.json()).toMatchObject({ error: 'key_limit_reached', limit: 3 });
    const keys = await json('key', 'list', '--account', '1');
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatchObject({ prefix: expect.stringMatching(/^svc_.{10}$/), live: true });
    expect(keys.flatMap(Object.keys)).not.toContain('hash');

    expect((await run('key', 'revoke', String(keys[0].id))).stdout).toMatch(
      /is revoked\. Account 1 has 2 other live keys\.\n$/,
    );
    const again = await run('key', 'revoke', String(keys[0].id));
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/was revoked already\. /)]);
    expect((await json('key', 'list', '--account', '1'))[0]).toMatchObject({ live: false });
  });

  test('key revoke --stdin revokes a leaked key by its value, which is not repeated', async () => {
    const { key: text, id } = await json('key', 'create', '--account', 'buyer-2@example.com', '--name', 'leaked');
    const piped = (input: string) =>
      cli(['key', 'revoke', '--stdin', '--json'], { DATA_DIR: join(folder, 'data') }, input);
    const revoked = await piped(`${text}\n`);
    expect([revoked.code, revoked.json()]).toMatchObject([0, { id, result: 'revoked', live: false }]);
    for (const [input, error] of [
      [text, 'key_not_found'],
      [text.slice(0, -1), 'key_not_found'],
      ['', 'no_key'],
    ] as const) {
      const refused = await piped(input);
      expect([refused.code, refused.json().error]).toEqual([1, error]);
      expect(refused.stdout + refused.stderr + revoked.stdout).not.toContain(text.slice(14));
    }
  });

  test('key create accepts abilities, a product and an expiry date that includes its day', async () => {
    const abilities = 'products.read,device.usage';
    const key = await json(
      'key',
      'create',
      '--account',
      '2',
      '--name',
      'k',
      '--abilities',
      abilities,
      '--product',
      'tool',
      '--expires',
      '2199-12-31',
    );
    expect(key).toMatchObject({
      key: expect.stringMatching(/^svc_\w{49}$/),
      abilities: ['products.read', 'device.usage'],
      product_id: 1,
      expires_at: '2199-12-31T23:59:59.999Z',
    });
  });

  test('key create makes a device sign-in key', async () => {
    const args = [
      '--account',
      '2',
      '--name',
      'cli',
      '--client',
      'cli',
      '--device',
      'laptop-1',
      '--device-name',
      'Laptop',
    ];
    const key = await json('key', 'create', ...args);
    expect(key).toMatchObject({ kind: 'device', client: 'cli', device: { device_id: 'laptop-1', name: 'Laptop' } });
  });
});

describe('the grant command', () => {
  const grant = (product: string, ...args: string[]) => run('grant', '--account', '2', '--product', product, ...args);

  test('grant prints the entitlement and accepts an update window that has ended', async () => {
    const dates = ['--access-expires', '2199-01-01T12:00:00+09:00', '--updates-until', '2019-06-30'];
    expect((await grant('1', '--device-limit', '0', ...dates, '--json')).json()).toMatchObject({
      account_id: 2,
      product_id: 1,
      device_limit: 0,
      access_expires_at: '2199-01-01T03:00:00.000Z',
      updates_supported_until: '2019-06-30T23:59:59.999Z',
    });
  });

  test('grant finds a product by its slug and refuses an unknown product', async () => {
    expect((await grant('tool', '--json')).json()).toMatchObject({ product_id: 1 });
    for (const none of ['99', '1e0']) {
      expect(await grant(none)).toMatchObject({ code: 1, stderr: `There is no product ${none}.\n` });
    }
  });

  test('grant refuses access that has already ended', async () => {
    expect(await grant('1', '--access-expires', '2020-01-01')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The end of access 2020-01-01T23:59:59.999Z has passed; choose a later one.\n',
    });
  });
});

describe('the publish command', () => {
  test('publish accepts the same file twice and refuses another file for the same version', async () => {
    const args = ['--version', '1.1.0', '--platform', 'linux-amd64', '--notes-en', join(folder, 'notes.md')];
    const published = await json('publish', 'tool', join(folder, 'tool.zip'), ...args);
    expect(published).toMatchObject({
      version: '1.1.0',
      channel: 'stable',
      platform: 'linux-amd64',
      size: 4,
      notes_en: 'New.',
      result: 'created',
    });
    expect(await json('publish', '1', join(folder, 'tool.zip'), ...args)).toEqual({
      ...published,
      result: 'unchanged',
    });
    const mac = ['--version', '1.2.0', '--platform', 'darwin-arm64'];
    expect((await run('publish', 'tool', join(folder, 'other.zip'), ...mac)).stdout).toMatch(
      /stay on an older version until you publish their files too: .*linux-amd64 \(1\.1\.0\)/,
    );
    const refused = await run('publish', 'tool', join(folder, 'other.zip'), ...args);
    expect([refused.code, refused.stdout, refused.stderr.split('\n').length]).toEqual([1, '', 2]);
    expect(refused.stderr).toContain('Version 1.1.0 already has another file for linux-amd64');
  });
});

describe('the policy command', () => {
  const POLICY = { min_client_version: '1.0.0', ttl_days: 7, recheck_hours: 12 };
  const set = async (policy: object, ...args: string[]) => {
    await writeFile(join(folder, 'policy.json'), JSON.stringify(policy));
    return run('policy', 'set', join(folder, 'policy.json'), ...args);
  };

  test('policy set reads a file and makes the next version when anything changes', async () => {
    expect((await set(POLICY, '--json')).json()).toMatchObject({ ...POLICY, version: 1, result: 'created' });
    expect((await set(POLICY, '--json')).json()).toMatchObject({ version: 1, result: 'unchanged' });
    const revoked = [{ product_id: 1, device_id: 'lost' }];
    expect((await set({ ...POLICY, revoked }, '--json')).json()).toMatchObject({ revoked, version: 2 });
    expect(await json('policy', 'show')).toMatchObject({ ...POLICY, revoked, version: 2 });
  });

  test('policy set refuses an unknown product and names it by its path', async () => {
    const before = await json('policy', 'show');
    const refused = await set({ ...POLICY, revoked: [{ product_id: 99, device_id: 'lost' }] }, '--json');
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'The policy has 1 fault; nothing was changed.\nrevoked.0.product_id: there is no product 99\n',
    });
    expect(refused.json()).toMatchObject({
      error: 'invalid_policy',
      faults: [{ path: 'revoked.0.product_id', message: 'there is no product 99' }],
    });
    expect(await json('policy', 'show')).toEqual(before);
  });
});

describe('the doctor command', () => {
  test('doctor prints an array of checks and exits with 0 when all pass', async () => {
    await run('signing-key', 'create');
    const { code, json: findings } = await run('doctor', '--json');
    expect(findings().filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
    expect(code).toBe(0);
  });

  test('doctor exits with 1 when a check fails', async () => {
    const { code, stdout } = await cli(['doctor'], { DATA_DIR: join(folder, 'nowhere') });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^WRONG {2}data-dir .*does not exist/m);
  });
});
