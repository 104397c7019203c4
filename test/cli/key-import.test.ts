import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aProduct } from '../support/builders.ts';
import { aShopFolder } from './shop.ts';

const KEY = '85DB562A-C11D4B06-A2335A6B-8C079166';

/** A sales export in Gumroad's format: quoted texts with line breaks, and a last row of sums. */
const SALES = [
  '\uFEFFPurchase ID,Item Name,Buyer Name,Purchase Email,Purchase Date,Fully Refunded?,Custom Fields,Quantity,License Key',
  `a1,Memo,"Ada, ""the first""",ada@example.com,2024-05-24,0,"{note: a; b\r\nand c}",2,${KEY}`,
  'a2,Memo,Bob,bob@example.com,2024-05-25,1,,1,A2335A6B-8C079166-85DB562A-C11D4B06',
  'a3,Memo,Cy,cy@example.com,2024-05-26,0,,1,SHORT-KEY',
  'Totals,,,,,,,,',
].join('\r\n');

let shop: Awaited<ReturnType<typeof aShopFolder>>;
beforeAll(async () => {
  shop = await aShopFolder({ products: [aProduct({ id: 1, slug: 'memo', license_keys: true })] });
});
afterAll(() => shop.remove());

const importFile = async (text: string | Buffer, ...more: string[]) => {
  const file = await shop.file('keys.csv', '');
  await writeFile(file, text);
  return shop.run('key', 'import', file, '--product', 'memo', ...more);
};

describe('the key import command', () => {
  test('key import imports the valid lines of a Gumroad export and names the others', async () => {
    const ran = await importFile(SALES);
    expect([ran.code, ran.stderr]).toEqual([1, '']);
    expect(ran.stdout).toMatch(
      /^created +unchanged +left out +refused\n +1 +0 +2 +1\nLine 5 has a key that is too short/,
    );
    const [key] = (await shop.run('key', 'list', '--account', 'ada@example.com', '--json')).json();
    expect(key).toMatchObject({ kind: 'license', prefix: '85DB', product_id: 1, live: true });
    expect(JSON.stringify(ran)).not.toContain(KEY);
    const again = await importFile(SALES, '--json');
    expect(again.json()).toMatchObject({ created: 0, unchanged: 1, left_out: 2, refused: [{ line: 5 }] });
  });

  test('key import accepts semicolons and tabs, and refuses a file with missing or repeated columns or a broken row', async () => {
    for (const [separator, encoding] of [
      [';', 'utf8'],
      ['\t', 'utf16le'],
    ] as const) {
      const text = `\uFEFFkey|email|name\r\n${KEY}|ada@example.com|"Ada, B"\r\n`.replaceAll('|', separator);
      const taken = await importFile(Buffer.from(text, encoding), '--json');
      expect([taken.code, taken.json()]).toMatchObject([0, { unchanged: 1 }]);
    }
    for (const [text, message] of [
      ['name,email\nAda,ada@example.com\n', /keys\.csv has no column License Key or key; nothing was imported\.\n$/],
      [`key,email\n${KEY},"ada\n`, /keys\.csv is no CSV file: .*; nothing was imported\.\n$/],
      [`key,E-Mail,email\n${KEY},ada@example.com,bob@example.com\n`, /has the column email twice; nothing was/],
      ['', /keys\.csv has no column License Key or key, and /],
    ] as const) {
      const ran = await importFile(text);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([1, '', expect.stringMatching(message)]);
    }
  });
});

describe('the key create --license command', () => {
  const create = (...more: string[]) =>
    shop.run('key', 'create', '--license', '--account', 'dora@example.com', '--product', 'memo', ...more);

  test('key create --license makes the license key of a product of the account, and keeps an existing one', async () => {
    await shop.run('account', 'add', '--email', 'dora@example.com');
    expect((await create()).stderr).toMatch(
      /gets no license key for product 1: .* the account has no access to it\.\n$/,
    );
    await shop.run('grant', '--account', 'dora@example.com', '--product', 'memo');
    expect((await create('--mail')).stdout).toBe('The license key will be mailed.\n');
    expect((await create()).stdout).toMatch(/^Key \d+, shown this once:\n\n {2}lic_\w{49}\n/);
    const again = await create('--json');
    expect([again.code, again.json()]).toMatchObject([0, { kind: 'license', product_id: 1, key: null }]);
    expect((await create()).stdout).toContain(`already has the license key ${again.json().prefix}…`);
    await shop.run('key', 'revoke', String(again.json().id));
    expect((await create('--json')).json().key).toMatch(/^lic_/);
  });

  test('key create --license makes batch keys a thousand at a time, and continues a batch whose response was lost', async () => {
    const many = (...more: string[]) =>
      shop.run('key', 'create', '--license', '--product', 'memo', '--updates-days', '365', ...more);
    const [head, ...keys] = (await many('--count', '1001', '--csv')).stdout.trim().split('\n');
    expect([head, new Set(keys).size]).toEqual(['key', 1001]);
    const batch = async () => (await shop.run('key', 'batches', '--json')).json()[0];
    const { id, unused } = await batch();
    expect(unused).toBe(1001);
    const more = (await many('--count', '2', '--csv', '--add-to', `${id}:1000`)).stdout.trim().split('\n');
    expect(more).toHaveLength(2);
    expect(await batch()).toMatchObject({ id, unused: 1002 });
    const refused = await many('--count', '2', '--csv', '--add-to', `${id}:1`);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`Batch ${id} has 1002 keys`)]);
  });

  test.each([
    [['--license', '--account', '1'], "error: option '--license' needs '--product'"],
    [['--license', '--account', '1', '--product', 'memo', '--name', 'x'], "error: option '--license' cannot be used"],
    [['--account', '1', '--name', 'x', '--mail'], "error: option '--mail' needs '--license'"],
    [['--account', '1'], "error: required option '--name <name>' not specified"],
  ])('key create %j is wrong usage', async (words, error) => {
    const ran = await shop.run('key', 'create', ...words);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(error)]);
  });
});
