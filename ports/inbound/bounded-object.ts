import * as z from 'zod';

/** True if no value is nested deeper than `levels` objects or arrays. The check stops at that depth. */
const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));

const MAX_NAME = 100;

/**
 * An object with arbitrary content of at most this many characters of JSON and levels of nesting. Its names have at
 * most 100 characters.
 */
export const boundedObject = (field: string, { characters, levels }: { characters: number; levels: number }) =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => Object.keys(value).every((name) => name.length <= MAX_NAME),
      `The ${field} field must not have names of more than ${MAX_NAME} characters.`,
    )
    .refine(
      (value) => isShallow(value, levels) && JSON.stringify(value).length <= characters,
      `The ${field} field must not be larger than ${characters} characters of JSON nor nested deeper than ${levels} levels.`,
    );
