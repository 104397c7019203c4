import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { dayOf, toInstant } from '../../domain/shared/instant.ts';
import { bar } from '../../runtimes/cli/product.ts';
import { openService } from '../processes/data-dir.ts';
import { WHOLE } from '../support/billing-entries.ts';
import { cli, type Ran } from '../support/cli.ts';
import { accountEntry, addFiles, productEntry, releaseEntry } from '../support/store-folder.ts';

let folder: string;

const run = (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: join(folder, 'data') });
const json = async (...args: string[]) => (await run(...args, '--json')).json();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-product-'));
  const document = {
    format: 1,
    products: [
      productEntry({ id: 1, slug: 'memo' }),
      productEntry({ id: 2, slug: 'secret', published: false }),
      productEntry({ id: 3, slug: 'mac', platforms: ['macos'] }),
    ],
    releases: [releaseEntry({ id: 1 })],
    accounts: [accountEntry({ id: 1, ...WHOLE })],
  };
  await addFiles(folder, { 'store.json': JSON.stringify(document), 'tool.zip': 'tool' });
  expect(await run('import', join(folder, 'store.json'))).toMatchObject({ code: 0 });
  const { service, close } = await openService(join(folder, 'data'));
  const usage_date = dayOf(toInstant(Date.now()));
  await service.get('usage').save(grantPermit(), 1, 10, [{ product_id: 1, usage_date, launches: 12 }]);
  await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the product commands', () => {
  test('product list shows every product with its newest versions, and with --sold its sales', async () => {
    const { stdout } = await run('product', 'list');
    expect(stdout).toMatch(/^ *1 +memo .* on sale +.* stable 1\.0\.0$/m);
    expect(stdout).toMatch(/^ *2 +secret .* hidden /m);
    expect(stdout).not.toContain('owners');
    expect(await json('product', 'list', '--sold')).toMatchObject([
      { id: 1, slug: 'memo', newest: { stable: '1.0.0', beta: null }, sold: 2, owners: 1 },
      { id: 2, sold: 0, owners: 0 },
      { id: 3, slug: 'mac' },
    ]);
    expect((await run('product', 'list', '--sold')).stdout).toMatch(/sold +owners\n/);
  });

  test('publish accepts each platform that product show and release list name', async () => {
    const names = async (command: string, pattern: RegExp) =>
      (pattern.exec((await run(...command.split(' '))).stdout)?.[1] ?? '').split(', ');
    const named = [
      ...(await names('product show mac', /^platforms +(.+)$/m)),
      ...(await names('product show secret', /^platforms +(.+)$/m)),
      ...(await names('release list memo', / ([\w-]+) +- *$/m)),
    ];
    expect(named).toEqual(['darwin-arm64', 'darwin-amd64', 'any', 'any']);
    for (const [n, platform] of named.entries()) {
      const args = ['publish', 'secret', join(folder, 'tool.zip'), '--version', `1.${n}.0`, '--platform', platform];
      expect((await run(...args)).code).toBe(0);
    }
    expect(await names('release list secret', / ([\w-]+) +- *$/m)).toEqual(['any']);
  });

  test('product show names what a product lacks as the next step', async () => {
    const { stdout } = await run('product', 'show', 'secret');
    expect(stdout).toMatch(/^state +hidden$/m);
    expect(stdout).toContain('\nnext\n');
    expect(stdout).toContain('  Only its owners see the product; import it with "published": true');
    expect(await json('product', 'show', '1')).toMatchObject({
      product: { slug: 'memo' },
      newest: { stable: '1.0.0' },
      releases: [{ state: 'offered' }],
    });
  });
});

describe('the usage show command', () => {
  test('usage show prints a row for each day with a bar, and the same numbers as JSON', async () => {
    const { stdout } = await run('usage', 'show', '--product', 'memo', '--days', '3');
    expect(stdout.match(/^\d{4}-\d\d-\d\d/gm)).toHaveLength(3);
    expect(stdout).toMatch(/ 12 +1 +1 +█{30}\n\n12 launches in 3 days\n$/);
    const { days } = await json('usage', 'show', '--account', '1', '--days', '3');
    expect(days.map(({ launches }: { launches: number }) => launches)).toEqual([0, 0, 12]);
  });

  test('the help of usage show says that usage of a product reads every account', async () => {
    expect((await run('usage', 'show', '--help')).stdout).toMatch(/Without --account this reads every\s+account/);
  });
});

test('a bar is exact to an eighth of a block, and a nonzero value has a mark', () => {
  expect([bar(0, 8, 1), bar(1, 800, 1), bar(4, 8, 1), bar(12, 8, 2), bar(3, 0, 4)]).toEqual(['', '▏', '▌', '███', '']);
});
