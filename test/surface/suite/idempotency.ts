import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { aBuyer, aKey, type Buyer } from '../buyers.ts';
import { type Reply, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { OTHER, TOOL } from '../shop.ts';

const PATH = '/api/device/installs';

/** Tests requests that create a record and are sent repeatedly with one Idempotency-Key. */
export const idempotencySuite = (mount: () => Mount): void => {
  const install = (
    { key }: Buyer,
    name: string,
    json: object = { product_id: TOOL, version: '1.1.0' },
  ): Promise<Reply> => send(mount(), 'POST', PATH, { key, json, headers: { 'Idempotency-Key': name } });
  const kept = ({ account }: Buyer) => Array.fromAsync(mount().service.get('installs').list(account));
  const isReplay = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true';

  test('every endpoint for keys or writing agents that responds 201 accepts an Idempotency-Key', () => {
    const creating = allEndpoints.filter(
      ({ access, output }) =>
        (access.credential === 'key' || (access.credential === 'agent' && access.role === 'write')) &&
        output.kind === 'json' &&
        output.status === 201,
    );
    expect(creating.filter(({ idempotent }) => !idempotent)).toEqual([]);
    expect(creating.length).toBeGreaterThan(0);
  });

  test('a request repeated with its Idempotency-Key gets the first response and creates nothing', async () => {
    const buyer = await aBuyer(mount().service);
    const [first, second] = [await install(buyer, 'one'), await install(buyer, 'one')];
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect([second.status, isReplay(second), second.body]).toEqual([201, true, first.body]);
    expect(await kept(buyer)).toHaveLength(1);
  });

  test('an Idempotency-Key repeated with another body is 409', async () => {
    const buyer = await aBuyer(mount().service);
    await install(buyer, 'one');
    const other = await install(buyer, 'one', { product_id: TOOL, version: '1.0.0' });
    expect([other.status, other.body]).toEqual([409, { message: expect.stringContaining('another request') }]);
    expect(await kept(buyer)).toHaveLength(1);
  });

  test('a key bound to another product gets 409 for a used Idempotency-Key, without the record', async () => {
    const buyer = await aBuyer(mount().service);
    await install(buyer, 'one');
    const bound = (await aKey(mount().service, buyer.account, { product_id: OTHER })).value;
    const reply = await install({ ...buyer, key: bound }, 'one');
    expect([reply.status, reply.body]).toEqual([409, { message: expect.any(String) }]);
  });

  test('one of many concurrent requests with one Idempotency-Key creates a record, and the others are 201 or 409', async () => {
    const buyer = await aBuyer(mount().service);
    const replies = await Promise.all(Array.from({ length: 12 }, () => install(buyer, 'one')));
    expect(replies.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await kept(buyer)).toHaveLength(1);
    expect((await install(buyer, 'one')).body.install.id).toBe((await kept(buyer))[0]?.id);
  });

  test('a refused request leaves its Idempotency-Key free for a corrected one', async () => {
    const buyer = await aBuyer(mount().service);
    expect((await install(buyer, 'one', { product_id: OTHER, version: '1' })).status).toBe(403);
    expect((await install(buyer, 'one', { product_id: TOOL })).status).toBe(422);
    expect((await install(buyer, 'one')).status).toBe(201);
  });

  describe('the value of an Idempotency-Key', () => {
    test.each([
      ['of more than 255 characters', 'x'.repeat(256)],
      ['with a space in it', 'one two'],
      ['beyond ASCII', 'caf\u00e9'],
      ['that is empty', ''],
    ])('an Idempotency-Key %s is 422', async (_, name) => {
      const buyer = await aBuyer(mount().service);
      const reply = await install(buyer, name);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['Idempotency-Key']]);
      expect(await kept(buyer)).toHaveLength(0);
    });

    test('an endpoint that creates nothing ignores the Idempotency-Key', async () => {
      const { key } = await aBuyer(mount().service);
      const check = (device_id: string) =>
        send(mount(), 'POST', '/api/license/check', {
          key,
          json: { product_id: TOOL, device_id },
          headers: { 'Idempotency-Key': 'one' },
        });
      expect((await check('a')).body.device.device_id).toBe('a');
      expect((await check('b')).body.device.device_id).toBe('b');
    });
  });
};
