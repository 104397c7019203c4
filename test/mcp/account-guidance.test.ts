import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES, type Ability } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { aProduct } from '../support/builders.ts';
import { SETTINGS } from '../support/memory-engines.ts';
import { aKey, anAccount } from '../surface/buyers.ts';
import { INITIALIZE, message2025 } from '../surface/mcp-message.ts';
import { OTHER, SECRET, TOOL } from '../surface/shop.ts';
import { type McpHost, openMcp } from './in-process.ts';

/* The rest of the account MCP: advice on missing permissions, and manuals as resources. */

const MANUAL_OWNED = 90;
const MANUAL_LONG = 91;

const manual = {
  summary: 'One file on your PATH.',
  requirements: ['A POSIX shell'],
  install_steps: ['Put it on your PATH'],
  verification_steps: [],
  troubleshooting: [],
};
const uriOf = (id: number): string => `account://products/${id}/manual`;

let mcp: McpHost;

beforeAll(async () => {
  mcp = await openMcp();
  for (const [id, summary] of [
    [MANUAL_OWNED, manual.summary],
    [MANUAL_LONG, 'x'.repeat(90_000)],
  ] as const) {
    const value = aProduct({ id, name: { en: `Handbook ${id}` }, manual: { en: { ...manual, summary } } });
    await mcp.service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
  }
});

const aReader = (): Promise<number> =>
  anAccount(mcp.service, { entitlements: [TOOL, MANUAL_OWNED, MANUAL_LONG].map((product_id) => ({ product_id })) });

const keyWith = async (abilities: readonly Ability[], more: object = {}): Promise<string> =>
  (await aKey(mcp.service, await aReader(), { abilities, ...more })).value;
const without = (...missing: Ability[]) => ABILITIES.filter((ability) => !missing.includes(ability));

describe('the instructions', () => {
  const told = async (credential: string): Promise<string> =>
    (await mcp.tell(INITIALIZE, credential)).body.result.instructions;

  test('the instructions name each ability that a key lacks, its tools, and the page of keys', async () => {
    const text = await told(await keyWith(without('orders.read', 'device.usage')));
    expect(text).toContain('orders.read (list_invoices, list_orders, show_order, list_payment_methods)');
    expect(text).toContain('device.usage (upload_usage)');
    expect(text).toContain(`${SETTINGS.urls.account}/keys`);
    expect(text).not.toContain('products.read (');
  });

  test('the instructions lead a sign-in that lacks a permission to its connection, and are silent if none is missing', async () => {
    const text = await told(mcp.issue({ account_id: await aReader(), permissions: ['mcp.read', 'products.read'] }));
    expect(text).toContain('orders.read (');
    expect(text).toContain(`${SETTINGS.urls.account}/apps`);
    expect(await told(await keyWith(ABILITIES))).not.toContain(' lacks ');
  });
});

describe('the manuals as resources', () => {
  const list = async (key: string, params = {}) => (await mcp.tell(message2025('resources/list', params), key)).body;
  const read = async (key: string, uri: string) => (await mcp.tell(message2025('resources/read', { uri }), key)).body;
  const urisOf = async (key: string): Promise<string[]> =>
    (await list(key)).result.resources.map(({ uri }: { uri: string }) => uri);

  test('an owner finds the manuals of its products and reads one as Markdown', async () => {
    const key = await keyWith(ABILITIES);
    expect(await urisOf(key)).toEqual(expect.arrayContaining([uriOf(MANUAL_OWNED), uriOf(MANUAL_LONG)]));
    const { contents } = (await read(key, uriOf(MANUAL_OWNED))).result;
    expect(contents).toEqual([
      {
        uri: uriOf(MANUAL_OWNED),
        mimeType: 'text/markdown',
        text: '# Handbook 90\n\nOne file on your PATH.\n\n## Requirements\n\n- A POSIX shell\n\n## Install\n\n- Put it on your PATH',
      },
    ]);
  });

  test('a manual is cut at the maximum length of a response', async () => {
    const { contents } = (await read(await keyWith(ABILITIES), uriOf(MANUAL_LONG))).result;
    expect(contents[0].text.length).toBe(40_000);
  });

  test('a key bound to another product and one without products.read find no manual', async () => {
    const bound = await keyWith(ABILITIES, { product_id: TOOL });
    expect(await urisOf(bound)).not.toContain(uriOf(MANUAL_OWNED));
    expect((await read(bound, uriOf(MANUAL_OWNED))).error.message).toEqual(expect.any(String));
    expect(await urisOf(await keyWith(['mcp.read']))).toEqual([]);
    expect((await list(await keyWith(ABILITIES), { cursor: 'x' })).error.code).toBe(-32_602);
  });

  test.each([
    uriOf(OTHER),
    uriOf(SECRET),
    uriOf(0),
    'account://products/90',
    'file:///etc/passwd',
  ])('the resource %s is not found', async (uri) => {
    const { error, result } = await read(await keyWith(ABILITIES), uri);
    expect([result, error.message]).toEqual([undefined, expect.any(String)]);
  });
});
