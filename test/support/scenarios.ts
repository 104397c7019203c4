import { readdirSync, readFileSync } from 'node:fs';
import type { Price } from '../../domain/catalog/product.ts';
import { addDays, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { aProduct } from './builders.ts';
import type { SIGNERS } from './payment-bodies.ts';

/*
 * The book of sequences is test/application/sales/book: a file for each scenario, and the objects of each provider and
 * version of its API that the scenarios use. A field "use" names an object, and the fields beside it replace those of
 * the object. "@30" is the moment 30 days after the first day of the book, "@30+90" is 90 seconds later.
 */

const BOOK = new URL('../application/sales/book/', import.meta.url);

const START: Instant = '2026-11-21T08:00:00.000Z';

const TERMS = { access_days: null, updates_days: null, device_limit: null, grace_days: 0, apps: null };

/** The prices of a kind, by each provider's name for them. */
const pricesOf = (kind: string, terms: Partial<Price> = {}): Price[] =>
  Object.entries({ stripe: 'price_', paddle: 'pri_', polar: '', shop: '' }).map(([provider, prefix]) => ({
    ...TERMS,
    ...terms,
    provider,
    id: prefix + kind,
  }));

/** The products that the book sells. */
export const PRODUCTS = [
  aProduct({
    id: 1,
    slug: 'hashcheck',
    name: { en: 'Hashcheck' },
    device_limit: 3,
    prices: [
      ...pricesOf('lifetime'),
      ...pricesOf('monthly', { grace_days: 3 }),
      ...pricesOf('yearly', { grace_days: 7 }),
      ...pricesOf('year', { access_days: 365 }),
      ...pricesOf('renewal', { access_days: 365, renewal: true }),
      ...pricesOf('updates', { updates_days: 365 }),
      ...pricesOf('calls'),
    ],
  }),
  aProduct({ id: 2, slug: 'notes', name: { en: 'Notes' }, device_limit: 2, prices: pricesOf('notes') }),
  aProduct({
    id: 3,
    slug: 'solo',
    name: { en: 'Solo' },
    device_limit: 3,
    stacking: 'highest',
    prices: pricesOf('solo'),
  }),
];

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Members = Readonly<Record<string, Json>>;

export type Provider = keyof typeof SIGNERS;

type Owned = Readonly<
  Record<string, { readonly devices: number | null; readonly until: string | null; readonly updates?: string }>
>;

type Told = { readonly at: string; readonly type: string; readonly object: Members; readonly owns?: Owned };

/** The state in which every order of the events ends. */
export type End = {
  /** The state in a seller's words. */
  readonly says: string;
  /** The products that the buyer may use, with the devices and the ends of access and updates; null means no limit. */
  readonly owns: Owned;
  /** The products that the buyer may no longer use, and since when; null if they were revoked. */
  readonly lost?: Readonly<Record<string, string | null>>;
  /** The status and the total of each order. */
  readonly orders: readonly string[];
  /** The mails that are sent if the events come in their own order: their kind and their amounts. */
  readonly mails: readonly string[];
  /** The events that are refused, recorded in part or waiting, each with its state and the message for the operator. */
  readonly unsettled?: readonly string[];
};

export type Scenario = {
  /** Its path in the book, without the extension. */
  readonly name: string;
  readonly provider: Provider;
  /** The version of the provider's API, which determines the form of the events. */
  readonly version: string;
  readonly says: string;
  /** The events; `owns` is what the buyer may use right after an event, if all of them come in their own order. */
  readonly events: readonly {
    readonly at: Instant;
    readonly type: string;
    readonly object: object;
    readonly owns?: Owned;
  }[];
  /** The moment at which the buyer's access is read; by default an hour after the last event. */
  readonly seen?: string;
  readonly end: End;
};

/** The moment of a text such as `@30`. */
export const momentOf = (text: string): Instant => {
  const [, days = '', seconds = '0'] = /^@(\d+)(?:\+(\d+))?$/.exec(text) ?? [];
  if (days === '') throw new Error(`"${text}" is no moment of the book, such as "@30" or "@30+90".`);
  return toInstant(millis(addDays(START, Number(days))) + Number(seconds) * 1000);
};

/** The text of a moment, for comparing a state with the book's. */
export const textOf = (moment: Instant): string => {
  const seconds = (millis(moment) - millis(START)) / 1000;
  return seconds % 86_400 === 0 ? `@${seconds / 86_400}` : `@${Math.floor(seconds / 86_400)}+${seconds % 86_400}`;
};

const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merged = (base: Json | undefined, over: Json): Json =>
  isMembers(base) && isMembers(over) && !('use' in over)
    ? { ...base, ...Object.fromEntries(Object.entries(over).map(([name, value]) => [name, merged(base[name], value)])) }
    : over;

/** A complete body: with the referenced objects, and times in the provider's format. */
const expanded = (value: Json, objects: Members, time: (moment: Instant) => Json): Json => {
  if (typeof value === 'string') return /^@\d/.test(value) ? time(momentOf(value)) : value;
  if (Array.isArray(value)) return value.map((one) => expanded(one, objects, time));
  if (!isMembers(value)) return value;
  if (!('use' in value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, expanded(one, objects, time)]));
  const { use, ...own } = value;
  const base = objects[String(use)];
  if (base === undefined) throw new Error(`The book has no object "${use}" for this provider and version.`);
  return expanded(merged(base, own), objects, time);
};

const TIMES: Readonly<Record<Provider, (moment: Instant) => Json>> = {
  stripe: (moment) => millis(moment) / 1000,
  paddle: (moment) => moment,
  polar: (moment) => moment,
  shop: (moment) => moment,
};

/** The event with an object, as the provider sends it. */
const eventOf = (provider: Provider, version: string, { at, type, object }: Scenario['events'][number], n: number) => {
  const id = `evt_${n}`;
  switch (provider) {
    case 'stripe':
      return {
        id,
        object: 'event',
        api_version: version,
        created: millis(at) / 1000,
        data: { object },
        livemode: true,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
    case 'paddle':
      return { event_id: id, event_type: type, occurred_at: at, notification_id: `ntf_${n}`, data: object };
    case 'polar':
    case 'shop':
      return { type, timestamp: at, data: object };
  }
};

const read = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, BOOK), 'utf8'));

const scenarioIn = (name: string): Scenario => {
  const written = read<Omit<Scenario, 'name' | 'events'> & { readonly events: readonly Told[] }>(`${name}.json`);
  const { provider, version } = written;
  const objects = read<Members>(`objects/${provider}-${version}.json`);
  const events = written.events.map(({ at, object, ...event }) => ({
    ...event,
    at: momentOf(at),
    object: expanded(object, objects, TIMES[provider]) as Members,
  }));
  return { ...written, name, events };
};

const PROVIDERS: readonly Provider[] = ['stripe', 'paddle', 'polar', 'shop'];

/** Every scenario of the book. */
export const SCENARIOS: readonly Scenario[] = PROVIDERS.flatMap((provider) =>
  readdirSync(new URL(`${provider}/`, BOOK))
    .toSorted()
    .map((file) => scenarioIn(`${provider}/${file.replace(/\.json$/, '')}`)),
);

/** The bodies of a scenario's events. With `moment`, all of them happen then. */
export const bodiesOf = ({ provider, version, events }: Scenario, moment?: Instant): readonly string[] =>
  events.map((one, n) => JSON.stringify(eventOf(provider, version, { ...one, at: moment ?? one.at }, n + 1)));
