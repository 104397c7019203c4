import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { MAX_EVENT_BYTES, type PaymentEvent } from '../../domain/sales/payment-event.ts';
import { addDays } from '../../domain/shared/instant.ts';
import type { PaymentEvents } from '../../ports/outbound/sales.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();
const NOW = '2026-11-21T08:00:00.000Z';
const BUYER = { email: 'ada@example.com', name: null, locale: null };

const anEvent = (id: string, overrides: Partial<PaymentEvent> = {}): PaymentEvent => ({
  provider: 'stripe',
  id,
  type: 'invoice.paid',
  received_at: NOW,
  state: 'done',
  reason: null,
  account_id: null,
  body: `{"id":"${id}","name":"에이다"}`,
  ...overrides,
});

/**
 * Registers the tests that every implementation of PaymentEvents must pass. `open` returns an empty one with this
 * clock; it is called before each test.
 */
export const paymentEventsContract = (
  name: string,
  open: (clock: Clock) => Promise<PaymentEvents> | PaymentEvents,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as payment events`, { timeout }, () => {
    let events: PaymentEvents;
    let now: string;
    beforeEach(async () => {
      now = NOW;
      events = await open({ now: () => now });
    }, timeout);

    const listed = async (): Promise<string[]> => {
      const ids: string[] = [];
      for await (const { provider, id } of events.list()) ids.push(`${provider} ${id}`);
      return ids.sort();
    };

    test('an event is found as it was last saved, only under its own provider', async () => {
      expect(await events.find({ provider: 'stripe', id: 'evt_1' })).toBeUndefined();
      await events.save(PERMIT, anEvent('evt_1', { state: 'waiting', reason: 'No event has told about cus_1 yet.' }));
      await events.save(PERMIT, anEvent('evt_1'));
      await events.save(PERMIT, anEvent('evt_1', { provider: 'paddle', state: 'ignored' }));
      expect(await events.find({ provider: 'stripe', id: 'evt_1' })).toEqual(anEvent('evt_1'));
      expect(await events.find({ provider: 'paddle', id: 'evt_1' })).toMatchObject({ state: 'ignored' });
      expect(await listed()).toEqual(['paddle evt_1', 'stripe evt_1']);
    });

    test('the largest body is stored exactly, even if it can’t be compressed', async () => {
      const random = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
      const body = random.repeat(4).slice(0, MAX_EVENT_BYTES);
      for (const text of [body, '"'.repeat(MAX_EVENT_BYTES), '\u{1f600}'.repeat(MAX_EVENT_BYTES / 4)]) {
        await events.save(PERMIT, anEvent('evt_1', { body: text }));
        expect((await events.find({ provider: 'stripe', id: 'evt_1' }))?.body).toBe(text);
      }
    });

    test('an event is deleted 30 days after it was received', async () => {
      await events.save(PERMIT, anEvent('evt_1'));
      now = addDays(NOW, 29);
      expect(await listed()).toEqual(['stripe evt_1']);
      now = addDays(NOW, 30);
      expect(await listed()).toEqual([]);
      expect(await events.find({ provider: 'stripe', id: 'evt_1' })).toBeUndefined();
    });

    test('open events are those that wait, were refused or were partly recorded, as last saved', async () => {
      await events.save(PERMIT, anEvent('evt_1', { state: 'waiting' }));
      await events.save(PERMIT, anEvent('evt_2', { state: 'refused', reason: 'No such price.' }));
      await events.save(PERMIT, anEvent('evt_3', { reason: 'One line is unknown.' }));
      await events.save(PERMIT, anEvent('evt_4'));
      const open = async () => (await Array.fromAsync(events.opens())).map(({ id }) => id);
      expect(await open()).toEqual(['evt_1', 'evt_2', 'evt_3']);
      const after = { provider: 'stripe', id: 'evt_1' };
      expect((await Array.fromAsync(events.opens({ after }))).map(({ id }) => id)).toEqual(['evt_2', 'evt_3']);
      expect((await Array.fromAsync(events.opens({ due: true }))).map(({ id }) => id)).toEqual(['evt_1']);
      await events.save(PERMIT, anEvent('evt_2'), anEvent('evt_2', { state: 'refused' }));
      expect(await open()).toEqual(['evt_1', 'evt_3']);
      now = addDays(NOW, 30);
      expect(await open()).toEqual([]);
    });

    test('a link between ids keeps its meaning and account until they are replaced', async () => {
      expect(await events.name('stripe', 'cus_1')).toBeUndefined();
      await events.keepMeaning(PERMIT, 'stripe', 'cus_1', { meaning: { buyer: BUYER }, account_id: null });
      await events.keepMeaning(PERMIT, 'stripe', 'cus_1', { meaning: null, account_id: 7 });
      expect(await events.name('stripe', 'cus_1')).toMatchObject({ meaning: { buyer: BUYER }, account_id: 7 });
      const moved = { buyer: { ...BUYER, email: 'lovelace@example.com' } };
      await events.keepMeaning(PERMIT, 'stripe', 'cus_1', { meaning: moved, account_id: null });
      expect(await events.name('stripe', 'cus_1')).toMatchObject({ meaning: moved, account_id: 7 });
      expect(await events.name('paddle', 'cus_1')).toBeUndefined();
    });

    test('events wait for a link until it is known and the waiting ends', async () => {
      const known = { meaning: { order_reference: 'in_1' }, account_id: null };
      expect(await events.awaitMeaning(PERMIT, 'stripe', 'pi_1', 'evt_1')).toBe(true);
      expect(await events.awaitMeaning(PERMIT, 'stripe', 'pi_1', 'evt_1')).toBe(true);
      expect(await events.awaitMeaning(PERMIT, 'stripe', 'pi_1', 'evt_2')).toBe(true);
      expect((await events.keepMeaning(PERMIT, 'stripe', 'pi_1', known)).toSorted()).toEqual(['evt_1', 'evt_2']);
      expect(await events.awaitMeaning(PERMIT, 'stripe', 'pi_1', 'evt_3')).toBe(false);
      await events.endWaiting(PERMIT, 'stripe', 'pi_1', ['evt_1']);
      expect(await events.keepMeaning(PERMIT, 'stripe', 'pi_1', known)).toEqual(['evt_2']);
    });

    test('of a waiting event and a simultaneous link, one sees the other', async () => {
      const known = { meaning: { order_reference: 'in_1' }, account_id: null };
      for (let n = 0; n < 20; n++) {
        const [waits, told] = await Promise.all([
          events.awaitMeaning(PERMIT, 'stripe', `pi_${n}`, 'evt_1'),
          events.keepMeaning(PERMIT, 'stripe', `pi_${n}`, known),
        ]);
        expect(told).toEqual(waits ? ['evt_1'] : []);
      }
    });
  });
};
