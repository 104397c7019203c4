import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { anAgent } from '../agents.ts';
import { aStranger } from '../buyers.ts';
import { sha256Of, uploadForm } from '../captures.ts';
import { send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { reportForm } from '../report-forms.ts';
import { aPaymentEvent, aShoppedAccount, aTicket } from '../shop-targets.ts';

const RELEASES = '/api/shop/products/retired/releases';

/** Tests publishing and selling on the shop host. Its other endpoints are tested like all others. */
export const shopHostSuite = (mount: () => Mount): void => {
  let key: string;
  let seller: string;
  beforeAll(async () => {
    key = (await anAgent(mount().service, 'catalog')).key;
    seller = (await anAgent(mount().service, 'orders')).key;
  });

  const post = (path: string, json: object, by = key) => send(mount(), 'POST', path, { key: by, json });
  const signed = (bytes: Uint8Array) =>
    post('/api/shop/release-uploads', { sha256: sha256Of(bytes), size: bytes.length });

  describe('the upload of a release to the shop host', () => {
    test('a release is uploaded by a signed URL with exactly its bytes, and then published under its version', async () => {
      const bytes = randomBytes(3000);
      const { status, body } = await signed(bytes);
      expect([status, body.upload.method]).toEqual([200, 'PUT']);
      const put = async (sent: Uint8Array): Promise<number> =>
        (await fetch(body.upload.url, { method: 'PUT', headers: body.upload.headers, body: Buffer.from(sent) })).status;
      expect(await put(randomBytes(3000))).toBeGreaterThanOrEqual(400);
      expect([200, 201]).toContain(await put(bytes));
      expect((await signed(bytes)).body).toEqual({ upload: null });
      const input = { sha256: sha256Of(bytes), filename: 'other.zip', version: '1.0.0', notes_en: 'First.' };
      const published = await post(RELEASES, input);
      expect([published.status, published.body.result]).toEqual([200, 'created']);
      expect(published.body.artifact).toMatchObject({
        sha256: input.sha256,
        size: 3000,
      });
      expect(published.body.artifact.signature).toMatch(/^[A-Za-z0-9+/]{86}==$/);
      expect((await post(RELEASES, input)).body.result).toBe('unchanged');
      const other = await post(RELEASES, { ...input, sha256: sha256Of(randomBytes(1)) });
      expect([other.status, other.body.reason]).toEqual([404, 'file_not_found']);
    });

    test('a release upload needs the catalog role and at most 256 MiB', async () => {
      expect((await post(RELEASES, {}, seller)).status).toBe(403);
      const { status } = await post('/api/shop/release-uploads', { sha256: 'a'.repeat(64), size: 2 ** 28 + 1 });
      expect(status).toBe(422);
    });
  });

  test('a change of a product keeps omitted fields and removes the named ones', async () => {
    const change = async (fields: object) => (await post('/api/shop/products/retired/changes', fields)).body;
    const first = await change({ feed: 'entitled', device_limit: 3, slug: null });
    expect(first).toMatchObject({ result: 'changed', product: { slug: 'retired', feed: 'entitled', device_limit: 3 } });
    const { product } = await change({ remove: ['feed', 'device_limit'] });
    expect([product.feed, product.device_limit, product.name]).toEqual([undefined, null, first.product.name]);
    expect((await post('/api/shop/products/retired/changes', { remove: ['slug'] })).status).toBe(422);
    const taken = await change({ slug: 'tool' });
    expect([taken.reason, taken.faults[0].path]).toEqual(['invalid_product', 'slug']);
  });

  describe('a sale recorded by reference', () => {
    const sale = (reference: string, more: object = {}) => ({
      reference,
      email: `${reference}@example.com`,
      ordered_at: '2026-01-01T09:00:00+09:00',
      currency: 'KRW',
      lines: [{ product: 'other', total_cents: 200 }],
      ...more,
    });
    const record = (body: object) => post('/api/shop/sales', body, seller);

    test('a sale is recorded once with its account and grants, and later facts change it', async () => {
      const first = await record(sale('by-hand', { status: 'pending' }));
      expect([first.status, first.body.result]).toEqual([200, 'recorded']);
      const paid = sale('by-hand', { changed_at: '2026-01-02T00:00:00Z' });
      expect((await record(paid)).body).toEqual({ ...first.body, result: 'updated' });
      expect((await record(paid)).body).toEqual({ ...first.body, result: 'unchanged' });
      const { account_id, order_id } = first.body;
      const [order] = await mount().service.get('storedOrders').ofAccount(account_id);
      expect(order).toMatchObject({
        id: order_id,
        status: 'paid',
        total_cents: 200,
        paid_at: '2026-01-02T00:00:00.000Z',
      });
      const { entitlements } = await mount().service.get('licenses').held(account_id);
      expect(entitlements.map((one) => one.order_id)).toEqual([order_id]);
    });

    test.each([
      ['an unknown product', { lines: [{ product: 'nothing', total_cents: 1 }] }, 404, 'product_not_found'],
      ['an unknown currency', { currency: 'ZZZ' }, 409, 'currency_unknown'],
      ['no address', { email: 'nobody' }, 409, 'email_invalid'],
    ])('a sale of %s is refused with its reason', async (_, wrong, status, reason) => {
      const refused = await record(sale('refused', wrong));
      expect([refused.status, refused.body.reason]).toEqual([status, reason]);
    });
  });

  test('the staff can download the file of a ticket by a link and reply with one', async () => {
    const buyer = await aStranger(mount().service);
    const form = reportForm({ kind: 'general', summary: 'It stops', detail: 'See it.' }, { bytes: Buffer.from('log') });
    const sent = await send(mount(), 'POST', '/api/support/reports', { key: buyer.key, form });
    const { key: desk } = await anAgent(mount().service, 'support');
    const { body } = await send(mount(), 'GET', `/api/shop/reports/${sent.body.ticket.id}`, { key: desk });
    expect(await (await fetch(body.files[0].download_url)).text()).toBe('log');
    const answer = uploadForm({ text: 'Use this.' }, { file: Buffer.from('patch') });
    const answers = `/api/shop/tickets/${sent.body.ticket.id}/answers`;
    const answered = await send(mount(), 'POST', answers, { key: desk, form: answer });
    expect(answered).toMatchObject({ status: 201, body: { file: { name: 'file', size: 5, answer: 1 } } });
  });
};

/** Tests the pages of lists on the shop host. */
export const shopListsSuite = (mount: () => Mount): void => {
  const LISTS = ['accounts', 'orders', 'products', 'reports', 'audit', 'products/tool/releases', 'events'];
  const OF_ACCOUNT = ['grants', 'keys', 'subscriptions', 'devices'];
  test.each([
    ...LISTS,
    ...OF_ACCOUNT.map((list) => `accounts/ACCOUNT/${list}`),
  ])('the list of %s in pages of one has all entries in order, and accepts no other cursor', async (named) => {
    const { service } = mount();
    const account = await aShoppedAccount(service);
    await aTicket(service);
    await aPaymentEvent(service);
    await service.get('createApiKey')(grantPermit(), { account_id: account, name: 'One' });
    const { key: staff } = await anAgent(service, 'everything');
    const path = `/api/shop/${named.replace('ACCOUNT', String(account))}`;
    const ask = (query: object) => send(mount(), 'GET', `${path}?${new URLSearchParams({ ...query })}`, { key: staff });
    const read = async (query: object) => (await ask(query)).body;
    const whole = await read({ limit: '4' });
    expect(whole.data.length).toBeGreaterThan(0);
    const seen = [];
    for (let page = await read({ limit: '1' }); ; page = await read({ limit: '1', after: page.next_after })) {
      seen.push(...page.data);
      if (page.next_after === null || seen.length === whole.data.length) break;
    }
    // The reads themselves change no list except the uses of keys.
    expect(seen).toEqual(whole.data);
    for (const after of ['null', 'abc', '-1', '1e3', `2026-11-20T00:00:00Z ${'漢'.repeat(400)}`]) {
      expect((await ask({ after })).body.errors).toEqual({
        after: ['The after field must be next_after of the page before, or left out.'],
      });
    }
  });

  test('the list of releases refuses the cursor of another list', async () => {
    await aShoppedAccount(mount().service);
    const { key: staff } = await anAgent(mount().service, 'everything');
    const path = `/api/shop/products/tool/releases?after=${'9'.repeat(16)}`;
    const { status, body } = await send(mount(), 'GET', path, { key: staff });
    expect([status, body.reason]).toEqual([404, 'release_not_found']);
  });
};
