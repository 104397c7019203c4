import * as z from 'zod';
import { CHANNELS, PLATFORMS } from '../../../domain/delivery/channel.ts';

/** Fields that several endpoints share. Output fields first, then input fields, which forgive what clients send. */
/** Begins at 1: the document says so, and no answer is refused for it. */
export const id = z.int().meta({ override: { minimum: 1 } });
export const dateTime = z.iso.datetime();
export const nullableText = z.string().nullable();

/** A query value: absent and empty both mean null. */
const nullWhenEmpty = (value: unknown): unknown => (value === undefined || value === '' ? null : value);

const integer = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : nullWhenEmpty(value);

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export const queryInteger = (description: string) =>
  z
    .preprocess(integer, z.int().min(1).nullable())
    .default(null)
    .meta({ description, override: { type: ['integer', 'null'], minimum: 1, description } });

/** How many entries a page has at most: 1 to 100, and 20 where nothing is said. */
export const queryLimit = z
  .preprocess((value) => integer(value) ?? DEFAULT_LIMIT, z.int().min(1).max(MAX_LIMIT))
  .default(DEFAULT_LIMIT)
  .meta({
    description: `How many at most; ${DEFAULT_LIMIT} if left out.`,
    override: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: `How many at most; ${DEFAULT_LIMIT} if left out.`,
    },
  });

export const queryText = (maxLength: number, description: string) =>
  z
    .preprocess(nullWhenEmpty, z.string().max(maxLength).nullable())
    .default(null)
    .meta({ description, override: { type: ['string', 'null'], maxLength, description } });

/** The reference fills in `example` where there is one. */
export const queryOneOf = <const V extends readonly [string, ...string[]]>(
  values: V,
  description: string,
  example?: V[number],
) =>
  z
    .preprocess(nullWhenEmpty, z.enum(values).nullable())
    .default(null)
    .meta({
      description,
      ...(example === undefined ? {} : { example }),
      override: { type: ['string', 'null'], enum: [...values, null], description },
    });

export const queryChannel = queryOneOf(
  CHANNELS,
  'Release channel; each takes in the more careful ones. Stable if left out.',
);
export const queryPlatform = queryOneOf(PLATFORMS, 'Platform to install on.', 'darwin-arm64');

const TRUTHS = new Map<unknown, boolean>([
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
]);

/** true, false, 0, 1 and their strings. */
export const laxBoolean = z
  .preprocess((value) => TRUTHS.get(value) ?? value, z.boolean())
  .meta({ override: { type: 'boolean' } });
