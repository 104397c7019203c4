import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import type { QueuedDelivery, WebhookQueue } from '../../ports/outbound/webhooks.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();
const WEBHOOK = 7;

/** The n-th second of the test's clock. */
const at = (second: number): string => new Date(Date.UTC(2026, 10, 21, 8, 0, second)).toISOString();

const about = (n: number) => ({ kind: 'ping', record: `record ${n}`, data: { n } }) as const;

/**
 * Registers the tests that every implementation of WebhookQueue must pass. `open` gives an empty one with this clock; it
 * is called before each test.
 */
export const webhookQueueContract = (
  name: string,
  open: (clock: Clock) => Promise<WebhookQueue> | WebhookQueue,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as a queue of webhooks`, { timeout }, () => {
    let queue: WebhookQueue;
    let now: string;
    beforeEach(async () => {
      now = at(0);
      queue = await open({ now: () => now });
    }, timeout);

    const ended = (delivery: Delivery) => ({ ...delivery, attempts: 1, state: 'delivered', ended_at: at(9) }) as const;
    const first = async (): Promise<QueuedDelivery> =>
      (await Array.fromAsync(queue.waiting(WEBHOOK)))[0] as QueuedDelivery;

    test('deliveries wait in the order of their events, separately for each webhook', async () => {
      await queue.add(PERMIT, WEBHOOK, [about(1), about(2)]);
      await queue.add(PERMIT, WEBHOOK + 1, [about(9)]);
      await queue.add(PERMIT, WEBHOOK, [about(3)]);
      const waiting = await Array.fromAsync(queue.waiting(WEBHOOK));
      expect(waiting.map(({ delivery }) => delivery.record)).toEqual(['record 1', 'record 2', 'record 3']);
      expect(waiting[0]?.delivery).toMatchObject({ queued_at: at(0), due_at: at(0), attempts: 0, fault: null });
      expect(await Array.fromAsync(queue.waiting(WEBHOOK + 2))).toEqual([]);
      expect(await queue.spread(PERMIT)).toBe(false);
    });

    test('of workers that lease a webhook at once one has it, until it returns it or the lease ends', async () => {
      const lease = (second: number) => queue.lease(PERMIT, WEBHOOK, at(second), at(second + 30));
      const leases = (await Promise.all([lease(0), lease(0), lease(0)])).filter((one) => one !== undefined);
      expect(leases).toHaveLength(1);
      expect(await lease(29)).toBeUndefined();
      const next = await lease(30);
      expect(next).toMatchObject({ sending: { failures: 0, failing_since: null } });
      const sending = { leased_until: '', due_at: at(50), failures: 3, failing_since: at(1) };
      const [lost] = leases;
      expect(lost && (await queue.giveBack(PERMIT, lost, sending))).toBe(false);
      expect(next && (await queue.giveBack(PERMIT, next, sending))).toBe(true);
      expect(await lease(49)).toBeUndefined();
      await queue.wake(PERMIT, WEBHOOK);
      const woken = await lease(49);
      expect(woken).toMatchObject({ sending: { failures: 0, failing_since: null } });
      await queue.wake(PERMIT, WEBHOOK);
      expect(woken && (await queue.giveBack(PERMIT, woken, sending))).toBe(true);
      expect(await lease(50)).toMatchObject({ sending: { failures: 3, failing_since: at(1) } });
      // A worker whose clock was hours ahead, and that died, holds nobody.
      expect(await queue.lease(PERMIT, WEBHOOK, at(90), at(4 * 3600))).toBeDefined();
      expect(await lease(91)).toBeDefined();
    });

    test('a delivery that is renewed keeps its place, and earlier readers lose it', async () => {
      await queue.add(PERMIT, WEBHOOK, [about(1), about(2)]);
      const read = await first();
      const rested = { ...read.delivery, attempts: 1, due_at: at(60), fault: 'No answer.' };
      expect(await queue.keep(PERMIT, read, rested)).toBe(true);
      expect((await first()).delivery).toEqual(rested);
      expect(await queue.keep(PERMIT, read, rested)).toBe(false);
      expect(await queue.end(PERMIT, read, ended(read.delivery))).toBe(false);
    });

    test('a finished delivery is listed with the waiting ones and can be sent again by its id', async () => {
      await queue.add(PERMIT, WEBHOOK, [about(1), about(2), about(3)]);
      const read = await first();
      expect(await queue.end(PERMIT, read, ended(read.delivery))).toBe(true);
      const listed = await queue.list(WEBHOOK, { limit: 9, before: null });
      expect(listed.map(({ data, state }) => [data, state])).toEqual([
        [{ n: 3 }, 'waiting'],
        [{ n: 2 }, 'waiting'],
        [{ n: 1 }, 'delivered'],
      ]);
      const before = listed[1]?.id ?? null;
      expect(await queue.list(WEBHOOK, { limit: 2, before })).toEqual(listed.slice(2));
      expect(await queue.list(WEBHOOK, { limit: 1, before: null })).toEqual(listed.slice(0, 1));
      now = at(20);
      const { id } = read.delivery;
      expect(await queue.renew(PERMIT, WEBHOOK, id)).toMatchObject({
        id,
        queued_at: at(20),
        attempts: 0,
        data: { n: 1 },
      });
      expect((await first()).delivery.id).toBe(id);
      expect((await queue.list(WEBHOOK, { limit: 9, before: null })).map(({ state }) => state)).toEqual(
        Array(3).fill('waiting'),
      );
      expect(await queue.renew(PERMIT, WEBHOOK, id + 1_000_000_000)).toBeUndefined();
    });
  });
};
