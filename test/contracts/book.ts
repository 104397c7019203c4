import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import type { Table } from '../../adapters/store/table.ts';
import { minorDigits } from '../../domain/billing/money.ts';
import type { Order } from '../../domain/billing/order.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import type { EventState } from '../../domain/sales/payment-event.ts';
import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import type { PaymentProviders } from '../../ports/outbound/sales.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/everything.ts';
import { providersOf } from '../../runtimes/composition/areas/sales.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { put } from '../support/contents.ts';
import { aClock, countedIds, noPauses } from '../support/fakes.ts';
import { aMailer, BY_WEBHOOK, MAILING } from '../support/mail.ts';
import { memoryEngines, SETTINGS } from '../support/memory-engines.ts';
import { done } from '../support/outcomes.ts';
import { SIGNERS } from '../support/payment-bodies.ts';
import { passed } from '../support/permits.ts';
import { bodiesOf, type End, momentOf, PRODUCTS, SCENARIOS, type Scenario, textOf } from '../support/scenarios.ts';
import { aSwitch } from '../support/switched-table.ts';

const HOUR_MS = 3_600_000;

/** A day after all events of the book, for the runs in which they all happen at one moment. */
const AT_ONCE = momentOf('@400');

const providers = providersOf(
  Object.fromEntries(Object.entries(SIGNERS).map(([name, { secret }]) => [name, [secret]])),
);

/** Checks signatures by today's clock, as the providers' packages do, whatever the clock of the book shows. */
const paymentProviders: PaymentProviders = async (name) => {
  const provider = await providers(name);
  return provider && { ...provider, verify: (raw, headers) => provider.verify(raw, headers, toInstant(Date.now())) };
};

/** A shop whose table is replaced for each run, which takes less time than another shop. Its catalog is in memory. */
const aShop = async () => {
  const [clock, mailer, { table, to }] = [aClock(), aMailer(), aSwitch(new MemoryTable())];
  const { get } = bootstrap({ ...SETTINGS, ...MAILING }, { ...memoryEngines(), table }, EVERY_AREA, {
    clock,
    mailer,
    paymentProviders,
    ids: countedIds(1001),
    messageIds: countedIds(1),
    pauses: noPauses,
  });
  await put({ get }, { products: PRODUCTS });
  await get('catalogs').current();
  const reopen = (empty: Table): void => {
    to(empty);
    clock.at = momentOf('@0');
    mailer.sent = [];
  };
  return { get, clock, mailer, reopen };
};

type Shop = Awaited<ReturnType<typeof aShop>>;

/** The total of an order as a seller writes it: `10.00 USD`. */
const totalOf = ({ total_cents, currency }: Order): string =>
  `${(total_cents / 10 ** minorDigits(currency)).toFixed(minorDigits(currency))} ${currency}`;

/** A mail by its subject and its amounts. */
const mailOf = ({ subject, text }: { readonly subject: string; readonly text: string }): string =>
  [
    subject.replace(/\d{8}-\w+/, 'N'),
    ...(text.replaceAll('\u00a0', ' ').match(/\p{Sc}[\d,.]*\d|\b[A-Z]{3}\s[\d,.]*\d/gu) ?? []),
  ].join(' · ');

/** The moment of the last event. */
const lastOf = ({ events }: Scenario): Instant => toInstant(Math.max(...events.map(({ at }) => millis(at))));

const OPEN_STATES: readonly EventState[] = ['refused', 'waiting'];

/** The state of the shop an hour after the last event, or when the scenario says. */
const stateOf = async ({ get, mailer }: Shop, scenario: Scenario): Promise<Omit<End, 'says'>> => {
  const [events, accounts] = await Promise.all([
    Array.fromAsync(get('paymentEvents').list()),
    Array.fromAsync(get('accounts').list()),
  ]);
  expect(accounts.length).toBeLessThanOrEqual(1);
  const account = accounts[0]?.id ?? 0;
  const [orders, held] = await Promise.all([get('orders').ofAccount(account), get('licenses').held(account)]);
  const seen = scenario.seen === undefined ? toInstant(millis(lastOf(scenario)) + HOUR_MS) : momentOf(scenario.seen);
  const owns: Record<string, End['owns'][string]> = {};
  const lost: Record<string, string | null> = {};
  for (const product of PRODUCTS) {
    const access = accessTo(product, [], held, seen);
    const end = access.granted ? access.access_expires_at : 'ended_at' in access ? access.ended_at : null;
    const until = end && textOf(end);
    if (access.granted) {
      const updates = end === null && access.updates_supported_until;
      owns[product.slug] = { devices: access.device_limit, until, ...(updates && { updates: textOf(updates) }) };
    } else if (access.reason !== 'not_entitled') lost[product.slug] = until;
  }
  return {
    owns,
    lost,
    orders: orders.map((one) => `${one.status} ${totalOf(one)}`).toSorted(),
    mails: mailer.sent.map(mailOf),
    unsettled: events
      .filter(({ state }) => OPEN_STATES.includes(state))
      .map(({ type, state, reason }) => `${state} ${type}: ${reason}`)
      .toSorted(),
  };
};

/**
 * Delivers the events of a scenario in an order, each once the one before it was answered, and sends the mail that is due
 * after each. Events in their own order come at their own moments; in another one, or twice, they come after the last.
 */
const runsOf = async (scenario: Scenario, open: () => Promise<Table> | Table, moment?: Instant) => {
  const { provider, events } = scenario;
  const shop = await aShop();
  const bodies = bodiesOf(scenario, moment).map((body) => Buffer.from(body));
  return async (order: readonly number[]) => {
    shop.reopen(await open());
    const { get, clock } = shop;
    const isOwn = order.length === events.length && order.every((n, place) => n === place);
    for (const [place, n] of order.entries()) {
      const at = moment ?? ((isOwn && events[n]?.at) || lastOf(scenario));
      clock.at = toInstant(millis(at) + (place + 1) * 1000);
      const raw = bodies[n] as Buffer;
      const headers = SIGNERS[provider].sign(raw.toString(), Date.now(), undefined, `evt_${n + 1}`);
      done(await passed(get('receiveEvent')({ provider, raw, headers }), Promise.resolve(BY_WEBHOOK)));
      while ((await get('sendNextMessage')(BY_WEBHOOK)).end !== 'none');
    }
    return stateOf(shop, scenario);
  };
};

const permutations = (all: readonly number[]): number[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, n) => permutations(all.toSpliced(n, 1)).map((rest) => [one, ...rest]));

/** The orders in which events may come: all of them, or so many of them, of which the own order is the first. */
const ordersOf = (count: number, most: number, seed: number): [number[], ...number[][]] => {
  const own = Array.from({ length: count }, (_, n) => n);
  const all = [1, 1, 2, 6, 24, 120, 720][count] ?? Number.POSITIVE_INFINITY;
  if (all <= most) {
    const [, ...others] = permutations(own);
    return [own, ...others];
  }
  const some = fc.sample(fc.shuffledSubarray(own, { minLength: count }), { numRuns: most - 1, seed });
  return [own, ...some];
};

export type BookOptions = {
  /** The most orders of a scenario's events that are tried; 720 are all of six events. */
  readonly most?: number;
  /** True where scenarios run beside each other, because the engine answers late. */
  readonly concurrent?: boolean;
};

/**
 * Registers the book of sequences for an engine: whatever the order in which a scenario's events come, and with equal
 * moments too, they end in the one state that the book states. `open` gives an empty table for each order.
 */
export const bookOfSequences = (
  name: string,
  open: () => Promise<Table> | Table,
  { most = 720, ...options }: BookOptions = {},
): void => {
  const seed = Number(process.env['BOOK_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
  const inOrder = (order: readonly number[], { events }: Scenario) =>
    `${order.map((n) => `${events[n]?.type} (${n + 1})`).join(', ')}; BOOK_SEED=${seed}`;

  const titled = (how: string) => SCENARIOS.map((one) => [`${one.name}${how}: ${one.says}`, one] as const);

  describe(`the book of sequences on ${name}`, options, () => {
    test.each(titled(''))('%s', async (_, scenario) => {
      const run = await runsOf(scenario, open);
      const { says, lost = {}, unsettled = [], ...end } = scenario.end;
      const [own, ...others] = ordersOf(scenario.events.length, most, seed);
      const first = await run(own);
      expect(first).toEqual({ ...end, lost, unsettled });
      const { mails, ...state } = first;
      expect(await run([...own, ...own]), 'each event twice').toEqual(first);
      for (const order of others) expect(await run(order), inOrder(order, scenario)).toMatchObject(state);
    });

    test.each(titled(', all at one moment'))('%s', async (_, scenario) => {
      const run = await runsOf(scenario, open, AT_ONCE);
      const [own, ...others] = ordersOf(scenario.events.length, most, seed);
      const { mails, ...state } = await run(own);
      expect(state.orders).toEqual(scenario.end.orders);
      for (const order of others) expect(await run(order), inOrder(order, scenario)).toMatchObject(state);
    });
  });
};
