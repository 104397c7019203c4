import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import type { Buyer, SaleEvent } from '../../domain/sales/sale-event.ts';
import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { FindMeaning, PaymentProvider, SignedEvent, Told, Untrusted } from '../../ports/outbound/sales.ts';

/*
 * Schemas and helpers that the bodies of several providers share. They are bounded: a signed body can still be
 * malformed.
 */

/** The maximum age of a signature in seconds, and the maximum time that its clock may be ahead. */
export const MAX_AGE_SECONDS = 300;

/** The last moment whose year has four digits. */
const MAX_SECONDS = 253_402_300_799;

export const reference = z.string().min(1).max(200);

/** The id of an event, which is part of its key. */
export const event_id = z.string().regex(/^[\w.:-]{1,128}$/);

const WRONG_ID = 'The id of the event takes 1 to 128 letters, digits and . : _ -; send it again under such an id.';

export const text = z.string().max(1000);

/** A nullable or optional value; both become null. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? null);

/**
 * A value that is only printed on receipts. A malformed one counts as missing, so that it does not hold up the sale.
 */
export const printed = <S extends z.ZodType>(schema: S) => maybe(schema).catch(null);

/**
 * Currencies whose amounts at Stripe, and at Polar, which charges through it, are not ISO 4217 minor units: ISK and UGX
 * have two extra digits, always zero, and MGA counts whole units
 * (https://docs.stripe.com/currencies#special-cases, #zero-decimal).
 */
const FACTORS: Readonly<Record<string, number>> = { ISK: 1 / 100, UGX: 1 / 100, MGA: 100 };

/** Converts an amount of Stripe or Polar to minor units of its currency. */
export const minor = <C extends number | null>(amount: C, currency: string | null): C =>
  (amount === null ? null : Math.round(amount * (FACTORS[currency ?? ''] ?? 1))) as C;

/** An amount in minor units of its currency. */
export const cents = z.int().min(0);

/** An amount in minor units, as a string of digits. */
export const centsText = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** Like `centsText`, but possibly negative, as credits are. */
export const creditText = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number);

export const seconds = z
  .int()
  .min(0)
  .max(MAX_SECONDS)
  .transform((value) => toInstant(value * 1000));

/** An ISO 8601 moment with any offset. Moments are compared as strings, which requires four digits for the year. */
export const moment = z.iso
  .datetime({ offset: true })
  .transform((value) => toInstant(new Date(value)))
  .refine((at) => /^\d{4}-/.test(at), 'must lie in the years 0 to 9999 of UTC');

/** A URL that a page links to. */
export const link = z.url({ protocol: /^https$/ }).max(2000);

export const currency = z
  .string()
  .max(20)
  .transform((code) => code.toUpperCase());

/** A postal address, with the field names that most providers share. */
export const Address = z.object({
  line1: printed(text),
  line2: printed(text),
  postal_code: printed(text),
  city: printed(text),
  state: printed(text),
  country: printed(text),
});

/** An address as the lines of a letter. */
export const addressLines = (address: z.output<typeof Address> | null): string | null => {
  if (address === null) return null;
  const { line1, line2, postal_code, city, state, country } = address;
  const place = [postal_code, city].filter((part) => part).join(' ');
  return [line1, line2, place, state, country].filter((part) => part).join('\n') || null;
};

/** The tax rate of a sale in percent; undefined if it has none or several. */
export const oneRate = (percents: readonly number[]): string | undefined => {
  const [rate, ...others] = new Set(percents.map((percent) => Number(percent.toFixed(4))));
  return rate === undefined || others.length > 0 ? undefined : String(rate);
};

export type Read<T> = Outcome<T, 'not_understood'>;
export type Content = Outcome<Told, 'not_understood' | 'name_unknown'>;

/** The functions that read the content of sales events, by event type. */
export type Tellers = Readonly<
  Record<string, (data: unknown, at: Instant, find: FindMeaning) => Content | Promise<Content>>
>;

/** Registers one function for several events of an object, such as `created updated` of `refund`. */
export const allOf = (object: string, events: string, tell: Tellers[string]): Tellers =>
  Object.fromEntries(events.split(' ').map((event) => [`${object}.${event}`, tell]));

export const NO_SALE = ok<Told>({ events: [], names: {} });

export const notUnderstood = (message: string) => refuse('not_understood', { message });

/** The parsed value, or a message that names the first invalid field. */
export const understood = <S extends z.ZodType>(schema: S, value: unknown): Read<z.output<S>> => {
  const read = schema.safeParse(value, { jitless: true });
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return notUnderstood(`The event's ${issue?.path.join('.') || 'body'} is not as documented: ${issue?.message}.`);
};

/** The content of an event: parses the data with the schema and passes it to `tell`. */
export const telling =
  <S extends z.ZodType>(
    schema: S,
    tell: (data: z.output<S>, at: Instant, find: FindMeaning) => Content | Promise<Content>,
  ): Tellers[string] =>
  (data, at, find) => {
    const read = understood(schema, data);
    return read.ok ? tell(read.value, at, find) : read;
  };

export const oneSale = (provider: string, at: Instant, facts: SaleEvent['facts'], names: Told['names'] = {}): Content =>
  ok({ events: [{ provider, happened_at: at, facts }], names });

export const nameUnknown = (name: string) => refuse('name_unknown', { data: { name } });

/** The buyer with this customer id, which another event has reported. */
export const buyerNamed = async (find: FindMeaning, customer: string): Promise<Outcome<Buyer, 'name_unknown'>> => {
  const meaning = await find(customer);
  return meaning && 'buyer' in meaning ? ok(meaning.buyer) : nameUnknown(customer);
};

/** A body as it was received, its signature, and the functions that check them. */
export type Signed = {
  readonly raw: Uint8Array;
  /** Unix seconds; NaN if the signature contains no time. */
  readonly signedAt: number;
  readonly now: Instant;
  readonly secrets: readonly string[];
  /** True if the signature is valid for the body under the secret. It may throw instead of returning false. */
  readonly fits: (body: Buffer, secret: string) => unknown;
  readonly head: z.ZodType<Omit<SignedEvent, 'body'>>;
};

/** Checks the age and the signature of a body, and parses its head. */
export const signedEvent = async (signed: Signed): Promise<Outcome<SignedEvent, Untrusted>> => {
  const { raw, signedAt, now, secrets, fits, head } = signed;
  const body = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
  if (Math.abs(millis(now) / 1000 - signedAt) > MAX_AGE_SECONDS) return refuse('webhook_too_old');
  let isSigned = false;
  for (const secret of secrets) isSigned ||= await attempt(() => fits(body, secret));
  if (!isSigned || Number.isNaN(signedAt)) return refuse('webhook_signature_invalid');
  const read = isUtf8(body) ? head.safeParse(jsonIn(body.toString())) : undefined;
  if (read?.success) return ok({ ...read.data, body: body.toString() });
  const isNamed = !read?.error.issues.some(({ path: [field] }) => field === 'id' || field === 'event_id');
  return isNamed ? refuse('malformed_body') : refuse('malformed_body', { message: WRONG_ID });
};

/** The packages throw if a signature is wrong or a header is malformed. */
const attempt = async (work: () => unknown): Promise<boolean> => {
  try {
    return (await work()) !== false;
  } catch {
    return false;
  }
};

const jsonIn = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/**
 * Reads a verified body: `head` extracts its type, moment and data. A type without a registered function is not a sale.
 */
export const tellerOf =
  (tellers: Tellers, head: z.ZodType<{ type: string; at: Instant; data: unknown }>): PaymentProvider['tell'] =>
  async (body, find) => {
    const read = understood(head, JSON.parse(body));
    if (!read.ok) return read;
    const { type, at, data } = read.value;
    return Object.hasOwn(tellers, type) ? (tellers[type] as Tellers[string])(data, at, find) : NO_SALE;
  };
