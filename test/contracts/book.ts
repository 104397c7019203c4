import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { providersOf } from '../../adapters/payments/providers.ts';
import type { Table } from '../../adapters/store/table.ts';
import { minorDigits } from '../../domain/billing/money.ts';
import type { Order } from '../../domain/billing/order.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import type { PaymentProviders } from '../../ports/outbound/sales.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
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

/** Checks signatures by today's clock, as the providers' packages do, regardless of the book's clock. */
const paymentProviders: PaymentProviders = async (name) => {
  const provider = await providers(name);
  return provider && { ...provider, verify: (raw, headers) => provider.verify(raw, headers, toInstant(Date.now())) };
};

/**
 * A shop whose table is replaced for each run, which is faster than creating another shop. Its catalog is in memory.
 */
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

/** The total of an order in a seller's notation: `10.00 USD`. */
const totalOf = ({ total_cents, currency }: Order): string =>
  `${(total_cents / 10 ** minorDigits(currency)).toFixed(minorDigits(currency))} ${currency}`;

/** A mail in a seller's words: its subject, its amounts, and its statements about products. */
const mailOf = ({ subject, text }: { readonly subject: string; readonly text: string }): string => {
  const found = (line: RegExp): string | undefined => line.exec(text)?.[1]?.replaceAll('\u00a0', ' ');
  const [total, money] = [found(/^Total: (.+)$/m), found(/^We have refunded .+: (.+)\.$/m)];
  const [usable, ended] = [found(/^Still usable: (.+)$/m), found(/^No longer usable: (.+)$/m)];
  return [
    `${subject.replace(/^.+: your order /, 'Your order ').replace(/\d{8}-\w+/, 'N')}: ${money ? `${money} of ${total}` : total}`,
    ...(usable ? [`still usable: ${usable}`] : []),
    ...(ended ? [`no longer usable: ${ended}`] : []),
  ].join('; ');
};

/** The moment of the last event. */
const lastOf = ({ events }: Scenario): Instant => toInstant(Math.max(...events.map(({ at }) => millis(at))));

/** The buyer's access to each product at a moment. */
const accessOf = async ({ get }: Shop, account: number, moment: Instant) => {
  const held = await get('licenses').held(account);
  const owns: Record<string, End['owns'][string]> = {};
  const lost: Record<string, string | null> = {};
  for (const product of PRODUCTS) {
    const access = accessTo(product, [], held, moment);
    const end = access.granted ? access.access_expires_at : 'ended_at' in access ? access.ended_at : null;
    const until = end && textOf(end);
    if (access.granted) {
      const updates = end === null && access.updates_supported_until;
      owns[product.slug] = { devices: access.device_limit, until, ...(updates && { updates: textOf(updates) }) };
    } else if (access.reason !== 'not_entitled') lost[product.slug] = until;
  }
  return { owns, lost };
};

/** The only account of the shop. */
const accountOf = async ({ get }: Shop): Promise<number> => {
  const accounts = await Array.fromAsync(get('accounts').list());
  expect(accounts.length).toBeLessThanOrEqual(1);
  return accounts[0]?.id ?? 0;
};

/** The state of the shop an hour after the last event, or when the scenario says. */
const stateOf = async (shop: Shop, scenario: Scenario): Promise<Omit<End, 'says'>> => {
  const { get, mailer } = shop;
  const account = await accountOf(shop);
  const seen = scenario.seen === undefined ? toInstant(millis(lastOf(scenario)) + HOUR_MS) : momentOf(scenario.seen);
  const [events, orders, access] = await Promise.all([
    Array.fromAsync(get('paymentEvents').list()),
    get('orders').ofAccount(account),
    accessOf(shop, account, seen),
  ]);
  return {
    ...access,
    orders: orders.map((one) => `${one.status} ${totalOf(one)}`).toSorted(),
    mails: mailer.sent.map(mailOf),
    unsettled: events
      .filter(({ reason }) => reason !== null)
      .map(({ type, state, reason }) => `${state} ${type}: ${reason}`)
      .toSorted(),
  };
};

/**
 * Delivers the events of a scenario in an order, each once the previous one was answered, and sends the due mail after
 * each. In their own order, events come at their own moments; in another order, or repeated, they come after the last
 * moment.
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
      const event = events[n] as Scenario['events'][number];
      const at = moment ?? (isOwn ? event.at : lastOf(scenario));
      clock.at = toInstant(millis(at) + (place + 1) * 1000);
      const raw = bodies[n] as Buffer;
      const headers = SIGNERS[provider].sign(raw.toString(), Date.now(), undefined, `evt_${n + 1}`);
      done(await passed(get('receiveEvent')({ provider, raw, headers }), Promise.resolve(BY_WEBHOOK)));
      while ((await get('sendNextMessage')(BY_WEBHOOK)).end !== 'none');
      if (!isOwn || moment || !event.owns) continue;
      const { owns } = await accessOf(shop, await accountOf(shop), clock.at);
      expect(owns, `after ${event.type} (${n + 1})`).toEqual(event.owns);
    }
    return stateOf(shop, scenario);
  };
};

/**
 * The mails of another order of events that mention money which no mail of the original order mentions; each counts
 * once.
 */
const untold = (own: readonly string[], other: readonly string[]): string[] => {
  const left = own.map((mail) => mail.split(';')[0]);
  return other.filter((mail) => {
    const found = left.indexOf(mail.split(';')[0]);
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
};

const permutations = (all: readonly number[]): number[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, n) => permutations(all.toSpliced(n, 1)).map((rest) => [one, ...rest]));

/** The number of orders to try if not all are tried. */
const SAMPLED = 100;

/** The orders in which events may come: all of them, or this many, beginning with their own order. */
const ordersOf = (count: number, most: number, seed: number): [number[], ...number[][]] => {
  const own = Array.from({ length: count }, (_, n) => n);
  const all = [1, 1, 2, 6, 24, 120, 720][count] ?? Number.POSITIVE_INFINITY;
  if (all <= most) {
    const [, ...others] = permutations(own);
    return [own, ...others];
  }
  const numRuns = Math.min(most, SAMPLED) - 1;
  const some = fc.sample(fc.shuffledSubarray(own, { minLength: count }), { numRuns, seed });
  return [own, ...some];
};

export type BookOptions = {
  /** The maximum number of orders of a scenario's events to try; six events have 720. */
  readonly most: number;
  /** True if scenarios run in parallel, because the engine is slow. */
  readonly concurrent?: boolean;
  /** False skips the runs in which all events have the same moment, which every table stores under the same keys. */
  readonly equalMoments?: boolean;
  /** Runs one of this many scenarios, beginning anywhere, because the engine is slow and all share one table contract. */
  readonly oneOf?: number;
};

/**
 * Registers the book of sequences for an engine: in any order of a scenario's events, and with equal moments too, they
 * end in the one state that the book states. `open` returns an empty table for each order.
 */
export const bookOfSequences = (
  name: string,
  open: () => Promise<Table> | Table,
  { most, equalMoments = true, oneOf = 1, ...options }: BookOptions,
): void => {
  const seed = Number(process.env['BOOK_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
  const inOrder = (order: readonly number[], { events }: Scenario) =>
    `${order.map((n) => `${events[n]?.type} (${n + 1})`).join(', ')}; BOOK_SEED=${seed}`;

  const scenarios = SCENARIOS.filter((_, n) => n % oneOf === seed % oneOf);
  const titled = (how: string) => scenarios.map((one) => [`${one.name}${how}: ${one.says}`, one] as const);

  describe(`the book of sequences on ${name}`, options, () => {
    test.each(titled(''))('%s', async (_, scenario) => {
      const run = await runsOf(scenario, open);
      const { says, lost = {}, unsettled = [], ...end } = scenario.end;
      const [own, ...others] = ordersOf(scenario.events.length, most, seed);
      const first = await run(own);
      expect(first).toEqual({ ...end, lost, unsettled });
      const { mails, ...state } = first;
      expect(await run([...own, ...own]), 'each event twice').toEqual(first);
      for (const order of others) {
        const ended = await run(order);
        expect(ended, inOrder(order, scenario)).toMatchObject(state);
        expect(untold(mails, ended.mails), inOrder(order, scenario)).toEqual([]);
      }
    });

    test.each(equalMoments ? titled(', all at one moment') : [])('%s', async (_, scenario) => {
      const run = await runsOf(scenario, open, AT_ONCE);
      const [own, ...others] = ordersOf(scenario.events.length, most, seed);
      const { mails, ...state } = await run(own);
      expect(state.orders).toEqual(scenario.end.orders);
      for (const order of others) expect(await run(order), inOrder(order, scenario)).toMatchObject(state);
    });
  });
};
