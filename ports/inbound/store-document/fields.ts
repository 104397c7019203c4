import * as z from 'zod';
import { MOST_CENTS } from '../../../domain/billing/money.ts';
import type { Rule } from '../../../domain/shared/fault.ts';
import { localeServed } from '../../../domain/shared/locale.ts';

/** Adds rules between the fields of a record. They are checked once each field is valid. */
export const rules =
  <T>(of: (record: T) => readonly Rule[]) =>
  (record: T, context: z.RefinementCtx): void => {
    if (context.issues.some(({ code }) => code !== 'custom')) return;
    for (const [isBroken, member, message] of of(record)) {
      if (isBroken) context.addIssue({ code: 'custom', path: member.split('.'), message });
    }
  };

/** A record of a document with rules between its fields. */
export const ruled = <Shape extends z.ZodRawShape>(
  shape: Shape,
  of: (record: z.output<z.ZodObject<Shape>>) => readonly Rule[],
) => z.strictObject(shape).superRefine(rules(of));

/** An optional field; null if absent. */
export const orNull = <T extends z.ZodType>(schema: T, description?: string) => {
  const member = schema.nullable().default(null);
  return description === undefined ? member : member.meta({ description });
};

/** Fields that the parts of a store document share. */
export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const ids = z
  .array(id)
  .superRefine(rules((all) => all.map((one, n) => [all.indexOf(one) < n, String(n), `${one} is named twice`])));
export const instant = z.iso
  .datetime({ offset: true })
  .refine((text) => new Date(text).getUTCFullYear() <= 9999, 'must not lie after the year 9999')
  .transform((text) => new Date(text).toISOString())
  .meta({ description: 'ISO 8601 date and time with an offset' });
export const line = z.string().min(1).max(255);
export const text = z.string().max(20_000);
export const relativePath = z
  .string()
  .min(1)
  .max(180)
  .regex(/^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\\\0]+$/, 'must be a relative path without ".." in it');

export const localized = <T extends z.ZodType>(value: T) =>
  z
    .strictObject({ en: value.optional(), ko: value.optional() })
    .refine((texts) => texts.en !== undefined || texts.ko !== undefined, 'needs a text in "en" or "ko"');
/** A name or label: not blank in at least one language. */
export const label = localized(line).refine(
  (texts) => localeServed(texts, 'en') !== null,
  'needs a text in "en" or "ko" that is not blank',
);
export const optionalText = orNull(text);
export const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'must be lower-case letters, digits and hyphens');
export const graceDays = z.int().min(0).max(365).default(0);
/** The name of an edition, a feature or a field of metadata. */
export const termName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}$/, 'must be at most 40 letters, digits and any of . : _ -');
const names = z
  .array(termName)
  .max(100)
  .superRefine(rules((all) => all.map((one, n) => [all.indexOf(one) < n, String(n), `${one} is named twice`])));
export const features = names.meta({ description: 'names of features' });
export const metadata = z
  .record(termName, z.string().max(500))
  .refine((fields) => Object.keys(fields).length <= 20, 'must have at most 20 names')
  .meta({ description: 'texts of the shop by name, which applications read; not secret' });
/** The terms of a license beside its time and devices. */
export const licenseTerms = {
  edition: termName.optional().meta({ description: 'one of the product’s editions; the lowest by default' }),
  features: features.optional().meta({ description: 'features beside those of the edition' }),
  upgrades_from: names.min(1).optional().meta({
    description: 'the editions that it upgrades: each unit takes the place of one of theirs',
  }),
  requires: names.optional().meta({
    description: 'makes it an add-on, which gives its features beside a license of one of these editions; [] is any',
  }),
};
/** The plan of an apps subscription. */
export const plan = z.strictObject({ tier: line, features: z.array(line).max(100).default([]) });
export const currency = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as KRW');
export const cents = z.int().min(0).max(MOST_CENTS).meta({ description: 'an integer in minor units of the currency' });
