import * as z from 'zod';

/** Output fields that several answers share. */

/** An id. The document gives 1 as its minimum, but no answer is refused for a lower one. */
export const id = z.int().meta({ override: { minimum: 1 } });
export const dateTime = z.iso.datetime();
export const nullableText = z.string().nullable();
