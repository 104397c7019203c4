import * as z from 'zod';
import { PRODUCT_ID } from '../../../../domain/catalog/storefront.ts';
import { LOCALES } from '../../../../domain/shared/locale.ts';
import { id, ids, label, line, localized, ruled, text } from './fields.ts';

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
