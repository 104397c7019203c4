import * as z from 'zod';
import { canonicalAddress, LONGEST_EMAIL } from '../../domain/accounts/address.ts';
import { PLATFORMS } from '../../domain/catalog/platform.ts';
import { CHANNELS } from '../../domain/delivery/channel.ts';
import { composedId, LONGEST_DEVICE_ID } from '../../domain/devices/seat.ts';
import { isCalendarDay, toInstant } from '../../domain/shared/instant.ts';
import { MAX_PAGE_SIZE, PAGE_SIZE } from '../../domain/shared/paging.ts';
import { canName, cleanText, isBlank, isLine } from '../../domain/shared/plain-text.ts';

/**
 * Input fields that several endpoints share. They accept the variants that clients send, and pass a value or null to
 * handlers.
 */

/** A query value: absent and empty both mean null. */
const nullWhenEmpty = (value: unknown): unknown => (value === undefined || value === '' ? null : value);

/** An integer as a string, such as `4`, `-4` or `4.0`. */
const INTEGER = /^-?\d{1,16}(?:\.0+)?$/;

/** The number in a string; any other value unchanged. */
const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;

/** Converts a numeric id to a string, because agents pass on the numbers of lists. Any other value is unchanged. */
const textIn = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value);

/** A string that names a record, or its id as a number. */
export const orId = <S extends z.ZodType>(text: S) => z.preprocess(textIn, text);

const integer = (value: unknown): unknown => numberIn(nullWhenEmpty(value));

const ID = /^[1-9]\d{0,15}$/;

const idOrNone = (value: unknown): number => {
  const id = typeof value === 'string' && ID.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : 0;
};

/** An id in a path. An invalid one becomes 0, which no record has. */
export const pathId = (description: string) =>
  z
    .unknown()
    .transform(idOrNone)
    .meta({ description, override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description } });

export const product_id = pathId('id of the product');

const NOT_BLANK = 'must not be blank.';

/** The maximum length of a text in a path; stored texts are no longer. */
const MAX_PATH_TEXT = 500;

/** A percent-decoded text in a path. If it is too long or malformed it becomes empty, which matches nothing. */
export const pathText = (description: string) =>
  z
    .unknown()
    .transform((value) => {
      const text = textIn(value);
      return typeof text === 'string' && text.length <= MAX_PATH_TEXT && canName(text) ? text : '';
    })
    .meta({ description, override: { type: 'string', description } });

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export const queryInteger = (description: string, maximum?: number) =>
  z
    .preprocess(integer, (maximum === undefined ? z.int().min(1) : z.int().min(1).max(maximum)).nullable())
    .default(null)
    .meta({
      description,
      override: { type: 'integer', minimum: 1, ...(maximum !== undefined && { maximum }), description },
    });

/** A number with a default for an absent or empty value. */
const queryNumber = (otherwise: number, maximum: number, description: string) =>
  z
    .preprocess((value) => integer(value) ?? otherwise, z.int().min(1).max(maximum))
    .default(otherwise)
    .meta({
      description,
      override: { type: 'integer', minimum: 1, maximum, default: otherwise, description },
    });

/** The number of entries on a page: 1 to 100, by default 20. */
export const queryLimit = queryNumber(
  DEFAULT_LIMIT,
  MAX_LIMIT,
  `The maximum number of entries; ${DEFAULT_LIMIT} by default.`,
);

/** The maximum page number. */
const MAX_PAGE = 100_000;

/** The page number of a list, from 1. */
export const queryPage = queryNumber(1, MAX_PAGE, 'Number of the page; 1 by default.');

export const queryPageSize = queryNumber(PAGE_SIZE, MAX_PAGE_SIZE, `Entries on a page; ${PAGE_SIZE} by default.`);

export const queryText = (maxLength: number, description: string, text = z.string()) =>
  z
    .preprocess((value) => textIn(nullWhenEmpty(value)), text.max(maxLength).nullable())
    .default(null)
    .meta({ description, override: { type: 'string', maxLength, description } });

const MAX_KEYS_TEXT = 500;

/** Comma-separated keys. */
export const queryKeys = (most: number, description: string) =>
  z
    .preprocess(
      nullWhenEmpty,
      z
        .string()
        .max(MAX_KEYS_TEXT)
        .refine((keys) => keys.split(',').length <= most, `At most ${most} keys are allowed.`)
        .nullable(),
    )
    .default(null)
    .meta({ description, override: { type: 'string', maxLength: MAX_KEYS_TEXT, description } });

/**
 * A value of a fixed set; the reference fills in `example` if there is one. The type is explicit, because the compiler
 * can't emit a declaration of the type that zod infers.
 */
export const queryOneOf = <const V extends readonly [string, ...string[]], const D extends V[number] | null = null>(
  values: V,
  description: string,
  { example, otherwise = null as D }: { example?: V[number]; otherwise?: D } = {},
): z.ZodType<V[number] | D> =>
  z
    .preprocess(nullWhenEmpty, z.enum(values).nullable())
    .default(null)
    .transform((value): V[number] | D => value ?? otherwise)
    .meta({
      description,
      ...(example === undefined ? {} : { example }),
      override: { type: 'string', enum: [...values], description },
    });

export const queryChannel = queryOneOf(
  CHANNELS,
  'Release channel, which includes every more stable one; `stable` if left out.',
  { otherwise: 'stable' },
);
export const queryPlatform = queryOneOf(PLATFORMS, 'Platform to install on.', { example: 'darwin-arm64' });

/** An optional body field: absent, null and empty or blank text become null. */
export const orNull = <S extends z.ZodType>(field: S) =>
  z
    .preprocess((value) => (value === '' ? null : value), field.nullish())
    .transform((value) => (value === undefined || value === '' ? null : value));

/** An optional body field whose text is parsed by `read`; any other value counts as absent. */
export const forgiven = (most: number, read: (text: string) => string | null) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && value.length <= most ? read(value) : null),
      z.string().max(most).nullish(),
    )
    .transform((value) => value ?? null);

/** A platform in a body. Any other text counts as absent, because it must lock nobody out. */
export const forgivenPlatform = z
  .preprocess((value) => PLATFORMS.find((one) => one === value) ?? null, z.enum(PLATFORMS).nullish())
  .transform((value) => value ?? null);

/** An optional body field whose schema has no null: null and empty text count as absent. */
export const orAbsent = <S extends z.ZodType>(field: S) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), field.optional());

/** The maximum number of rows in an unpaged list. */
export const MOST_ROWS = 1000;

/**
 * The format of a list's cursors, by the kind of place in them (`placeOf`): an id, a moment, or a product and its
 * device.
 */
const CURSORS = { id: /^\d{16}$/, moment: /^\d{4}-\S+Z ./, device: /^\d{1,16}( .|$)/ };

/**
 * A page of a list of the shop: 1 to 1000 rows, by default 100, after a cursor. An invalid cursor is refused, because
 * it would otherwise end the list early or restart it.
 */
export const queryStretch = (cursor: keyof typeof CURSORS) => ({
  limit: queryNumber(100, MOST_ROWS, 'The maximum number of entries; 100 by default. A page ends earlier at 1 MB.'),
  after: queryText(
    500,
    '`next_after` of the page before. Ask again with it until it is null.',
    z
      .string()
      .refine(
        (text) => CURSORS[cursor].test(text) && canName(text),
        'must be next_after of the page before, or left out.',
      ),
  ),
});

const instant = z.iso.datetime({ offset: true }).transform((text) => toInstant(Date.parse(text)));
const INSTANT = { type: 'string' as const, format: 'date-time' };

/** A moment in a query, with an offset. */
export const queryInstant = (description: string) =>
  z
    .preprocess(nullWhenEmpty, instant.nullable())
    .default(null)
    .meta({ description, override: { ...INSTANT, description } });

/** A calendar day in a query. */
export const queryDay = (description: string) =>
  z
    .preprocess(
      nullWhenEmpty,
      z.string().refine(isCalendarDay, 'must be a calendar day written YYYY-MM-DD.').nullable(),
    )
    .default(null)
    .meta({ description, override: { type: 'string', format: 'date', description } });

/** A moment in a body, with an offset. */
export const bodyInstant = instant.meta({ override: INSTANT });

/** An integer in a body. Its string form is accepted too, because clients send `"4"`. */
export const bodyInteger = ({ minimum, maximum }: { minimum?: number; maximum?: number } = {}) => {
  const least = minimum === undefined ? z.int() : z.int().min(minimum);
  return z.preprocess(numberIn, maximum === undefined ? least : least.max(maximum));
};

/** Refuses a text without visible characters. Empty text is left to the check of the minimum length. */
export const notBlank = (text: z.ZodString) => text.refine((value) => value === '' || !isBlank(value), NOT_BLANK);

/** A text with visible characters, stored unchanged. */
export const visibleText = (most: number) =>
  notBlank(z.string().min(1).max(most).regex(/\S/, { error: NOT_BLANK, abort: true }));

const NOT_A_LINE = 'must be plain text on one line, without control characters.';

/**
 * A single line of text for storage: control characters and lone surrogates are refused. It has at least `least`
 * characters (default 0, which accepts an empty text); 1 refuses empty and blank texts.
 */
export const line = (most: number, least = 0) =>
  z
    .string()
    .min(least)
    .max(most)
    .refine(isLine, NOT_A_LINE)
    .refine((text) => least === 0 || text === '' || !isBlank(text), 'must not be blank.');

/** A deliverable email address, in canonical form. */
export const mailAddress = z
  .string()
  .max(LONGEST_EMAIL)
  .overwrite((text) => canonicalAddress(text) ?? text)
  .refine((text) => canonicalAddress(text) !== null, 'must be an email address that mail can reach.')
  .meta({ format: 'email' });

/**
 * A text of several lines for storage, trimmed, without control characters other than tabs and line breaks. It has at
 * least `least` characters after trimming (default 0, which accepts empty and blank texts); 1 refuses them.
 */
export const prose = (most: number, least = 0) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? cleanText(value).trim() : value),
    least === 0 ? z.string().max(most) : notBlank(z.string().min(least).max(most)),
  );

/** The client's optional name for a device, in its stored form. A text without visible characters counts as absent. */
export const deviceIdOrNull = z
  .preprocess((value) => {
    if (typeof value !== 'string') return value;
    return isBlank(value) ? null : composedId(value);
  }, line(LONGEST_DEVICE_ID).nullish())
  .transform((value) => value ?? null);

const TRUTHS = new Map<unknown, boolean>([
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
]);

/** A boolean; 0, 1 and the strings of these four values in any case are accepted too. */
export const laxBoolean = z
  .preprocess(
    (value) => TRUTHS.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? value,
    z.boolean(),
  )
  .meta({ override: { type: 'boolean' }, description: 'true or false; 1 and 0 are taken, too' });

/** An optional boolean in a body; false if absent. */
export const bodyFlag = (description: string) =>
  orNull(laxBoolean)
    .transform((value) => value ?? false)
    .meta({ description });

/** A boolean in a query; false if absent. */
export const queryFlag = (description: string) =>
  z
    .preprocess(nullWhenEmpty, laxBoolean.nullable())
    .default(null)
    .transform((value) => value ?? false)
    .meta({ description, override: { type: 'boolean', description } });
