import { beforeEach, describe, expect, test } from 'vitest';
import { supportKeys } from '../../../adapters/store/keys/support.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ERASING_SECONDS, WALK_RESTS_SECONDS } from '../../../domain/accounts/erasure.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { erasureWorker } from '../../../runtimes/worker/erasure-worker.ts';
import { anErasureShop, type ErasureShop, inMemory, naming } from '../../support/erasure-shop.ts';
import { aClock } from '../../support/fakes.ts';
import { SHARED_FILE } from '../../support/full-account.ts';
import { done } from '../../support/outcomes.ts';

const permit = grantPermit();

describe('an erasure that its owner requested', () => {
  let clock: ReturnType<typeof aClock>;
  let shop: ErasureShop;
  let get: Service['get'];

  beforeEach(async () => {
    clock = aClock(toInstant(Date.now()));
    shop = await anErasureShop(inMemory, { clock });
    get = shop.service.get;
    const { cookie } = shop.zaphod.credentials;
    const session = await get('findSession')(cookie);
    if (!session) throw new Error('The session is gone.');
    const account = await get('accounts').get(session.account_id);
    done(await get('eraseOwnAccount')(permit, session, account?.email ?? ''));
  });

  const complete = () => get('completeErasure')(permit);
  const rest = (seconds: number) => {
    clock.at = toInstant(millis(clock.at) + seconds * 1000);
  };
  /** Makes each removal from the table fail, like an unreachable store. */
  const breakDown = (): (() => void) => {
    const { table } = shop.engines;
    const remove = table.remove.bind(table);
    table.remove = async () => {
      throw new Error('out of reach');
    };
    return () => {
      table.remove = remove;
    };
  };

  test('nothing opens the account any more, and only records that need a full scan remain', async () => {
    const { key, deviceKey, cookie, code } = shop.zaphod.credentials;
    for (const value of [key, deviceKey]) {
      expect(await get('authenticate')(value)).toMatchObject({ code: 'invalid_api_key' });
    }
    expect(await get('findSession')(cookie)).toBeUndefined();
    expect(await get('signInTokens').find(shop.zaphod.accessToken)).toBeUndefined();
    const used = await get('useSignInLink')({ code, browser: 'Firefox', address: '203.0.113.7' });
    expect(used).toMatchObject({ code: 'link_not_usable' });
    expect(await get('signInTokens').find(shop.trillian.accessToken)).toMatchObject({ account_id: 8 });
    expect(await get('accounts').erasure(7)).toMatchObject({ finished_at: null });
    expect(naming(await shop.entries(), 'zaphod')).not.toEqual([]);
  });

  test('the worker removes the remaining records once', async () => {
    expect(await complete()).toEqual([7]);
    const after = await shop.entries();
    for (const trace of shop.zaphod.traces) expect([trace, naming(after, trace)]).toEqual([trace, []]);
    expect(await get('accounts').erasure(7)).toMatchObject({ finished_at: clock.at });
    expect(await get('accountErasures').unfinished(10)).toEqual([]);
    rest(ERASING_SECONDS);
    expect(await complete()).toEqual([]);
  });

  test('an erasure that a clock years ahead began or broke off is completed once the clock is right', async () => {
    const mend = breakDown();
    clock.at = '2036-01-01T00:00:00.000Z';
    await expect(complete()).rejects.toThrow('out of reach');
    mend();
    rest(-10 * 365 * 86_400);
    expect(await complete()).toEqual([7]);
  });

  test('an interrupted erasure is logged, waits two minutes and is then completed', async () => {
    const lines: string[] = [];
    const note = (_: object, message: string): unknown => lines.push(message);
    const worker = erasureWorker(get('completeErasure'), { info: note, error: note });
    const mend = breakDown();
    expect(await worker.workOnce()).toBe('idle');
    mend();
    rest(WALK_RESTS_SECONDS - 1);
    expect(await worker.workOnce()).toBe('idle');
    expect(await get('accountErasures').unfinished(10)).toMatchObject([{ account_id: 7 }]);
    rest(1);
    expect(await worker.workOnce()).toBe('done');
    expect(lines).toEqual(['erasure fault', 'erasure completed']);
    expect(naming(await shop.entries(), 'zaphod')).toEqual([]);
  });

  test('of two workers, one takes the erasure', async () => {
    expect((await Promise.all([complete(), complete()])).flat()).toEqual([7]);
  });

  test('the command completes the erasure at once and leaves nothing to the worker', async () => {
    expect(await shop.erase()).toMatchObject({ value: { result: 'completed' } });
    expect(await complete()).toEqual([]);
  });

  test('an erasure by the command belongs to the command until it is interrupted, and then to the worker', async () => {
    const mend = breakDown();
    await expect(shop.erase({ account_id: 8 })).rejects.toThrow('out of reach');
    mend();
    expect(await complete()).toEqual([7]);
    expect(await complete()).toEqual([]);
    rest(ERASING_SECONDS);
    expect(await complete()).toEqual([8]);
    expect(naming(await shop.entries(), 'trillian')).toEqual([]);
  });

  describe('an erasure in a store of many pages', () => {
    const reads: (string | undefined)[] = [];
    let killAt = Number.POSITIVE_INFINITY;

    beforeEach(async () => {
      const { table } = shop.engines;
      for (let n = 0; n < 2500; n++) await table.put({ pk: `EMAIL#${n}`, sk: 'EMAIL', data: { account_id: 1000 + n } });
      reads.length = 0;
      killAt = Number.POSITIVE_INFINITY;
      const dump = table.dump.bind(table);
      table.dump = async (liveAt, after) => {
        if (reads.length === killAt) throw new Error('killed');
        if (liveAt === 0) reads.push(after);
        return dump(liveAt, after);
      };
    });

    test('a killed scan continues from its page, and a stopped one continues at once', async () => {
      killAt = 1;
      await expect(complete()).rejects.toThrow('killed');
      killAt = Number.POSITIVE_INFINITY;
      expect(await complete()).toEqual([]);
      rest(WALK_RESTS_SECONDS);
      expect(await get('completeErasure')(permit, () => false)).toEqual([]);
      expect(await get('accountErasures').walk()).toMatchObject({ accounts: [7], entries: expect.any(Number) });
      expect(await complete()).toEqual([7]);
      expect(new Set(reads).size).toBe(reads.length);
      expect(naming(await shop.entries(), 'zaphod')).toEqual([]);
    });

    test('a scan that was killed after removing a provider’s id still finds the events that name it', async () => {
      const events = get('paymentEvents');
      await events.keepMeaning(permit, 'stripe', 'cus_7', { meaning: null, account_id: 7 });
      const letter = { provider: 'stripe', id: 'letter', type: 'customer.updated', received_at: clock.at } as const;
      const body = JSON.stringify({ customer: 'cus_7' });
      await events.save(permit, { ...letter, state: 'ignored', reason: null, account_id: null, body });
      const { table } = shop.engines;
      const remove = table.remove.bind(table);
      table.remove = async (key, condition) => {
        const isRemoved = await remove(key, condition);
        if (key.pk.startsWith('PAYMENTNAME#')) throw new Error('killed');
        return isRemoved;
      };
      await expect(complete()).rejects.toThrow('killed');
      table.remove = remove;
      rest(WALK_RESTS_SECONDS);
      expect(await complete()).toEqual([7]);
      expect(await events.find({ provider: 'stripe', id: 'letter' })).toBeUndefined();
    });

    test('one scan erases all waiting accounts, and a later account gets a full scan of its own', async () => {
      const begin = async (id: number) => {
        const account = await get('accounts').get(id);
        if (account) await get('accountErasures').begin(permit, account, clock.at);
      };
      expect(await get('completeErasure')(permit, () => false)).toEqual([]);
      await begin(8);
      expect(await complete()).toEqual([7]);
      const pages = reads.length;
      expect(await complete()).toEqual([8]);
      expect(reads).toHaveLength(2 * pages);
      expect(naming(await shop.entries(), 'trillian')).toEqual([]);
    });
  });

  test('the tickets of the account stay in the shop’s lists, where they name no buyer', async () => {
    await get('shopSales').complete(permit, () => true);
    await complete();
    const input = { kind: 'support', app: null, since: null, limit: 10 } as const;
    const listed = await get('listReports')({ ...input, status: null });
    const all = await Array.fromAsync(get('tickets').list());
    expect(listed.map(({ id }) => Number(id)).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    const own = listed.filter(({ account_id }) => account_id === 7);
    expect(own).toMatchObject(own.map(() => ({ title: '', account_email: null, product_id: null })));
    const open = all.filter(({ status }) => status === 'open');
    expect(await get('listReports')({ ...input, status: 'open', sort: 'waiting' })).toHaveLength(open.length);
  });

  test('a ticket that an earlier version’s erasure left out of its list is erased by a second scan', async () => {
    const { table } = shop.engines;
    const tickets = await Array.fromAsync(get('tickets').list());
    const own = tickets.filter(({ account_id }) => account_id === 7);
    for (const { id } of own) await table.remove(supportKeys.ticketOf(7, id));
    expect([await complete(), await complete()]).toEqual([[], [7]]);
    expect(naming(await shop.entries(), 'zaphod')).toEqual([]);
    const shared = tickets.find((one) => one.account_id === 8 && one.summary.includes(SHARED_FILE));
    const [file] = await get('tickets').files(shared?.id ?? 0);
    expect(await get('objects').stat(file?.object_key ?? '')).toBeDefined();
  });
});
