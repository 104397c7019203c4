import * as z from 'zod';
import { PRODUCT_ID } from '../../../../domain/catalog/catalog.ts';
import { composedId } from '../../../../domain/devices/seat.ts';
import { TERMS_OF_SECTION } from '../../../../domain/operations/store-document.ts';
import { MOST_REVOKED } from '../../../../domain/policy/client-policy.ts';
import { LOCALES } from '../../../../domain/shared/locale.ts';
import { isLine } from '../../../../domain/shared/plain-text.ts';
import { id, ids, instant, label, line, localized, ruled, text } from './fields.ts';

export const lineage = ruled(
  {
    id,
    slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'must be lower-case letters, digits and hyphens'),
    name: label,
    description: localized(text).nullable().default(null),
    active: z.boolean().default(true),
    product_ids: ids.min(1).max(100).meta({ description: 'the products, oldest first' }),
    current_product_id: id
      .nullable()
      .default(null)
      .meta({ description: 'the recommended product; null is the last one' }),
  },
  ({ product_ids, current_product_id: current }) => [
    [
      current !== null && !product_ids.includes(current),
      'current_product_id',
      `product ${current} is none of its product_ids`,
    ],
  ],
);

const entry = z.string().max(500).meta({ description: 'empty where the field does not apply' });
const orEmpty = (value: z.ZodString | z.ZodURL | z.ZodEmail, what: string) =>
  z
    .string()
    .max(500)
    .refine((given) => given === '' || value.safeParse(given).success, `must be ${what}, or empty`);

const company = z.strictObject({
  company_name: line,
  representative_name: entry,
  business_registration_number: entry,
  mail_order_registration_number: entry,
  address: entry,
  phone: entry,
  email: orEmpty(z.email(), 'an e-mail address'),
  website: orEmpty(z.url({ protocol: /^https?$/ }), 'a URL'),
  ftc_biz_info_url: orEmpty(z.url({ protocol: /^https?$/ }), 'a URL'),
});

export const disclosure = z.strictObject({ ko: company, en: company });

const page = (of: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine((address) => address.includes(PRODUCT_ID), `must have ${PRODUCT_ID} where the product's id goes`)
    .nullable()
    .default(null)
    .meta({ description: `the shop's page that ${of}, with ${PRODUCT_ID} for the id` });

export const storefront = z.strictObject({
  product_url: page('sells a product'),
  product_detail_url: page('describes a product to its owner'),
  name: line.optional().meta({ description: 'the name that messages to buyers come from' }),
  logo_url: z
    .url({ protocol: /^https$/ })
    .max(500)
    .optional()
    .meta({ description: 'a picture at the top of messages to buyers' }),
  reply_to: z.email().max(254).optional().meta({ description: 'where the answers to messages go' }),
  locale: z
    .enum(LOCALES)
    .optional()
    .meta({ description: 'the language of messages to buyers whose own is not known; en without it' }),
});

/** Canonical JSON (RFC 8785) can't contain half a surrogate pair. */
const device_id = line
  .refine(isLine, 'must not contain control characters or half a surrogate pair')
  .transform(composedId);

/** The client policy of a store document, and the input of `policy set`. */
export const policy = z.strictObject({
  min_client_version: z
    .string()
    .max(64)
    .regex(/^\d[\w.+-]*$/, 'must be a version such as 1.4.0'),
  ttl_days: z.int().min(1).max(365),
  recheck_hours: z.int().min(1).max(8760),
  revoked: z
    .array(z.strictObject({ product_id: id, device_id }))
    .max(MOST_REVOKED)
    .optional()
    .meta({ description: 'the withdrawn devices; left out, the list in force stays, and [] empties it' }),
  version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'the version of an exported policy, which a store with an older policy takes over' }),
  changed_at: instant.optional().meta({ description: 'the moment of the change that made this version' }),
});

const terms = z
  .array(
    z.strictObject({
      key: z.string().regex(/^[a-z0-9-]{1,60}$/, 'must be 1 to 60 lower-case letters, digits and hyphens'),
      name: localized(z.string().min(1).max(60)),
      description: localized(z.string().max(300)).optional(),
    }),
  )
  .max(TERMS_OF_SECTION)
  .default([]);

export const taxonomy = z
  .strictObject({ page_types: terms, patterns: terms, elements: terms })
  .meta({ description: 'words of the gallery, beside its own ones; a word replaces the one with the same key' });
