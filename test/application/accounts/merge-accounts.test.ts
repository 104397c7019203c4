import { beforeEach, describe, expect, test } from 'vitest';
import { licensingKeys } from '../../../adapters/store/keys/licensing.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import type { Entry } from '../../../adapters/store/table-dump.ts';
import { Contention } from '../../../application/shared/contended.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { EVERY_ENTRY } from '../../support/audited.ts';
import { aDevice, aLease, anEntitlement } from '../../support/builders.ts';
import { anErasureShop, type ErasureShop, inMemory, naming, onDisk } from '../../support/erasure-shop.ts';
import { BY_WEBHOOK } from '../../support/mail.ts';
import { done } from '../../support/outcomes.ts';
import { order, refund } from '../../support/sale-events.ts';
import { aWebhook } from '../../support/webhooks.ts';

const permit = grantPermit();
const LINES = [{ product: 'product-1', quantity: 1, total_cents: 3000, discount_cents: 0 }];
const LATER = '2099-01-01T00:00:00.000Z';

/** The kinds of records that name an account, by the first parts of their keys. */
const kindsOf = (entries: readonly Entry[], id: number): string[] => {
  const own = entries.filter(
    (entry) =>
      'data' in entry && (entry.pk === `ACCOUNT#${id}` || JSON.stringify(entry.data).includes(`"account_id":${id},`)),
  );
  return [...new Set(own.map(({ pk, sk }) => (pk.startsWith('ACCOUNT#') ? sk : pk).split('#', 1)[0] ?? ''))].toSorted();
};

describe.each([
  ['in memory', inMemory],
  ['on SQLite and files', onDisk],
])('an account that is merged into another %s', (_, open) => {
  let shop: ErasureShop;
  const merge = (from = 7, into = 8, more = {}) => shop.service.get('mergeAccounts')(permit, { from, into, ...more });

  beforeEach(async () => {
    shop = await anErasureShop(open);
  });

  test('purchases, keys, devices and tickets of a merged account move to the other account, and its sign-in methods end', async () => {
    const { service, zaphod, entries } = shop;
    await aWebhook(service);
    await service.get('devices').rename(BY_WEBHOOK, 7, 1, 'device-7', 'New');
    const before = await entries();
    for (const [id, most] of [
      [7, 10],
      [8, 400],
    ] as const)
      done(await service.get('limitAccount')(permit, { account_id: id, requests_per_minute: most }));
    expect(done(await merge())).toMatchObject({ grants: 2, devices: 1, tickets: 2, orders: 1, keys: 2 });
    const left = kindsOf(await entries(), 7);
    expect(left).toEqual(['AUDIT', 'ERASED']);
    expect(kindsOf(before, 7)).toEqual(
      expect.arrayContaining(['ENTITLEMENT', 'ORDER', 'DEVICE', 'KEY', 'WEBHOOKEVENTS']),
    );
    const held = await service.get('storedLicenses').held(8);
    expect(held.entitlements.map(({ id, account_id }) => [id, account_id])).toEqual([
      [700, 8],
      [800, 8],
    ]);
    expect(held.subscriptions.map(({ id }) => id)).toEqual([701, 801]);
    expect((await service.get('storedOrders').ofAccount(8)).map(({ id }) => id)).toEqual([700, 800]);
    expect((await service.get('tickets').ofAccount(8, 10)).map(({ account_id }) => account_id)).toEqual([8, 8, 8, 8]);
    expect((await service.get('devices').used(8)).get(1)?.used).toBe(2);
    const key = await service.get('apiKeys').find(zaphod.traces[1] ?? '');
    expect(key).toMatchObject({ account_id: 8, requests_per_minute: 400 });
    expect((await service.get('apiKeys').scopeOf(key?.id ?? 0))?.keys).toHaveLength(4);
    const sender = { address: '127.0.0.1', browser: 'x', known: null };
    const input = { email: zaphod.credentials.email, password: zaphod.credentials.password, ...sender };
    expect(await service.get('signInWithPassword')(input)).toMatchObject({ code: 'wrong_credentials' });
    const trail = await Array.fromAsync(service.get('auditLog').list({ ...EVERY_ENTRY, action: 'account.merged' }));
    expect(trail.map(({ account_id }) => account_id).toSorted()).toEqual([7, 8]);
  });

  test('sessions of merged accounts keep their slots, even with equal numbers', async () => {
    const leases = shop.service.get('leases');
    for (const account of [7, 8]) {
      const lease = aLease({ lease_id: `of-${account}`, product_id: 1, expires_at: LATER });
      await leases.save(permit, account, lease, undefined);
    }
    done(await merge());
    const held = (await leases.of(8, 1)).map(({ slot, lease_id }) => [slot, lease_id]);
    expect([await leases.of(7, 1), held]).toEqual([
      [],
      [
        [1, 'of-8'],
        [1001, 'of-7'],
      ],
    ]);
  });

  test('the next sale to the merged address, and later news of an earlier sale, reach the other account', async () => {
    const { service } = shop;
    const record = async (event: Parameters<ReturnType<typeof service.get<'recordSale'>>>[1]) =>
      done(await service.get('recordSale')(permit, event));
    const buyer = { email: 'zaphod@example.com', name: null, locale: null };
    expect(await record(order({ reference: 'o-1', buyer, lines: LINES }))).toMatchObject({ account_id: 7 });
    done(await merge());
    expect(await record(refund({ order_reference: 'o-1' }))).toMatchObject({ account_id: 8, result: 'updated' });
    expect(await record(order({ reference: 'o-2', buyer, lines: LINES }))).toMatchObject({ account_id: 8 });
    expect(await service.get('addAccount')(permit, { ...buyer, password: null })).toMatchObject({
      code: 'email_taken',
    });
  });

  test('a device of both accounts takes one slot, even after an interrupted merge', async () => {
    const { service, engines } = shop;
    const seat = await service.get('devices').find(8, 1, 'device-7');
    await service.get('devices').activate(permit, 8, 1, aDevice({ device_id: 'device-7' }), seat.slots);
    const there = await service.get('devices').find(7, 1, 'device-7');
    if (there.device) await service.get('devices').hold(permit, 7, 1, { ...there.device, offline_until: LATER });
    const { table } = engines;
    let [tries, writes] = [0, 0];
    const whole = table.transact.bind(table);
    table.transact = async (...given) => {
      if (++writes > tries) throw new Error('The process was killed.');
      return whole(...given);
    };
    for (;;) {
      tries++;
      writes = 0;
      expect(await service.get('completeErasure')(permit)).toEqual([]);
      if (
        await merge().then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break;
    }
    table.transact = whole;
    expect(tries).toBeGreaterThan(2);
    expect((await service.get('devices').used(8)).get(1)?.used).toBe(2);
    expect((await service.get('devices').list(8, 1)).map((one) => [one.device_id, one.offline_until])).toEqual([
      ['device-7', LATER],
      ['device-8', undefined],
    ]);
    expect(kindsOf(await shop.entries(), 7)).toEqual(['AUDIT', 'ERASED']);
    expect(await service.get('accountErasures').unfinished(10)).toEqual([]);
  });

  test('of two simultaneous merges, one is refused, and no record is lost', async () => {
    const { service, engines } = shop;
    const crossed = await Promise.all([merge(7, 8), merge(8, 7)]);
    expect(crossed.filter(({ ok }) => ok)).toHaveLength(1);
    const [gone, left] = crossed[0]?.ok ? [7, 8] : [8, 7];
    expect((await service.get('storedOrders').ofAccount(left)).map(({ id }) => id)).toEqual([700, 800]);
    expect(await service.get('accounts').erasure(gone)).toMatchObject({ merged_into: left });
    const third = done(await service.get('addAccount')(permit, { email: 'c@example.com', name: null, password: null }));
    await engines.table.put(
      itemOf(licensingKeys.entitlement(third.id, 1, 700), anEntitlement({ id: 700, account_id: third.id })),
    );
    const refused = await merge(left, third.id);
    expect(refused).toMatchObject({
      code: 'not_mergeable',
      message: expect.stringContaining('both have a record ENTITLEMENT#'),
    });
    expect(await merge(left, left)).toMatchObject({ code: 'not_mergeable' });
    expect(await merge(left, gone)).toMatchObject({ code: 'account_not_found' });
  });

  test.each([
    'looks for clashes',
    'moves records',
  ])('a merge that ends while another run %s counts no record twice', async (step) => {
    const { service, engines } = shop;
    const [account, heir] = [await service.get('accounts').get(7), await service.get('accounts').get(8)];
    if (!account || !heir) throw new Error('There are two accounts.');
    if (step === 'moves records') await service.get('accountErasures').begin(permit, account, LATER, heir);
    const get = engines.table.get.bind(engines.table);
    let runs = 1;
    engines.table.get = async (key, ...options) => {
      if (runs === 1 && key.pk === 'ACCOUNT#8' && /^INVOICE#.*700$/.test(key.sk) && runs++) done(await merge());
      return get(key, ...options);
    };
    done(await merge());
    expect(runs).toBe(2);
    expect((await service.get('storedOrders').ofAccount(8)).map(({ id }) => id)).toEqual([700, 800]);
    expect((await service.get('devices').used(8)).get(1)?.used).toBe(2);
  });

  test('a merge into an account that is itself being merged loses nothing', async () => {
    const { service, engines } = shop;
    const third = done(await service.get('addAccount')(permit, { email: 'c@example.com', name: null, password: null }));
    const buyer = { email: 'c@example.com', name: null, locale: null };
    done(await service.get('recordSale')(permit, order({ buyer, lines: LINES })));
    const query = engines.table.query.bind(engines.table);
    let begun = false;
    engines.table.query = async (given) => {
      const page = await query(given);
      if (!begun && given.pk === 'ERASURES') {
        begun = true;
        const [from, into] = [await service.get('accounts').get(third.id), await service.get('accounts').get(7)];
        if (from) expect(await service.get('accountErasures').begin(permit, from, LATER, into)).toBe(true);
      }
      return page;
    };
    expect(await merge(7, 8)).toMatchObject({
      message: expect.stringContaining('another one is being merged into it'),
    });
    done(await merge(third.id, 7));
    expect(await service.get('storedOrders').ofAccount(7)).toHaveLength(2);
  });

  test('an interrupted merge is reported at its address, and a sale waits while the target account is erased', async () => {
    const { service } = shop;
    const [from, heir] = [await service.get('accounts').get(7), await service.get('accounts').get(8)];
    if (!from || !heir) throw new Error('There are two accounts.');
    expect(await service.get('accountErasures').begin(permit, from, LATER, heir)).toBe(true);
    const by = async (named: string) => done(await service.get('findAccount')(named));
    expect(await merge(await by('zaphod@example.com'), 8)).toMatchObject({
      message: `Account 8 can't be merged into account 8: they are one; "account merge 7 8" goes on with a merge that broke off.`,
    });
    done(await merge());
    const merged = (await service.get('accounts').get(8)) ?? heir;
    expect(await service.get('accountErasures').begin(permit, merged, LATER)).toBe(true);
    const buyer = { email: 'zaphod@example.com', name: null, locale: null };
    await expect(service.get('recordSale')(permit, order({ buyer, lines: LINES }))).rejects.toThrow(Contention);
    done(await service.get('eraseAccount')(permit, { account_id: 8 }));
    expect(done(await service.get('recordSale')(permit, order({ buyer, lines: LINES })))).toMatchObject({
      result: 'recorded',
    });
  });

  test('a trial run reports what would move and changes nothing', async () => {
    const before = await shop.entries();
    expect(done(await merge(7, 8, { trial: true }))).toMatchObject({ devices: 1, grants: 2 });
    expect(await shop.entries()).toEqual(before);
  });

  test('an erasure of the other account during the merge also erases what had not moved yet', async () => {
    const { service, engines } = shop;
    const whole = engines.table.transact.bind(engines.table);
    let begun = false;
    engines.table.transact = async (...given) => {
      const written = await whole(...given);
      if (!begun && JSON.stringify(given).includes('merged_into')) {
        begun = true;
        engines.table.transact = whole;
        done(await service.get('eraseAccount')(permit, { account_id: 8 }));
      }
      return written;
    };
    done(await merge());
    expect(kindsOf(await shop.entries(), 7)).toEqual(expect.not.arrayContaining(['ENTITLEMENT', 'DEVICE', 'KEY']));
    expect(naming(await shop.entries(), 'zaphod')).toEqual([]);
  });
});
