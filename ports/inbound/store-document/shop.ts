import * as z from 'zod';
import { LONGEST_BILLING } from '../../../domain/accounts/billing-details.ts';
import { isTimeZone } from '../../../domain/billing/withdrawal.ts';
import { accentFault, type Color, isColor, type Scheme } from '../../../domain/catalog/accent.ts';
import { PRODUCT_ID, SHOP_LINKS, type ShopLink } from '../../../domain/catalog/catalog.ts';
import { isUploadedLogo, uploadedLogo } from '../../../domain/catalog/logo.ts';
import {
  MOST_NOTICE_ADDRESSES,
  NOTICE_KINDS,
  NOTICE_TIMES,
  type NoticeKind,
  type NoticeTime,
} from '../../../domain/catalog/notify.ts';
import { TERMS_OF_SECTION } from '../../../domain/design/gallery/taxonomy.ts';
import { composedId } from '../../../domain/devices/seat.ts';
import { MOST_REVOKED } from '../../../domain/policy/client-policy.ts';
import { LANGUAGES } from '../../../domain/shared/language.ts';
import { isLine } from '../../../domain/shared/plain-text.ts';
import { once } from '../answers.ts';
import { mailAddress } from '../fields.ts';
import { id, ids, instant, label, line, localized, orNull, ruled, slug, text } from './fields.ts';

export const lineage = once(() =>
  ruled(
    {
      id,
      slug,
      name: label,
      description: orNull(localized(text)),
      active: z.boolean().default(true),
      product_ids: ids.min(1).max(100).meta({ description: 'the products, oldest first' }),
      current_product_id: orNull(id, 'the recommended product; null is the last one'),
    },
    ({ product_ids, current_product_id: current }) => {
      const isOther = current !== null && !product_ids.includes(current);
      return [[isOther, 'current_product_id', `product ${current} is none of its product_ids`]];
    },
  ),
);

const entry = z.string().max(500).meta({ description: 'empty where the field does not apply' });
const orEmpty = (value: z.ZodString | z.ZodURL, what: string) =>
  z
    .string()
    .max(500)
    .refine((text) => text === '' || value.safeParse(text).success, `must be ${what}, or empty`);

const company = once(() =>
  z.strictObject({
    company_name: line,
    representative_name: entry,
    business_registration_number: entry,
    mail_order_registration_number: entry,
    address: entry,
    phone: entry,
    email: orEmpty(mailAddress, 'an email address'),
    website: orEmpty(z.url({ protocol: /^https?$/ }), 'a URL'),
    ftc_biz_info_url: orEmpty(z.url({ protocol: /^https?$/ }), 'a URL'),
  }),
);

export const disclosure = once(() => z.strictObject({ ko: company(), en: company() }));

const page = (of: string) =>
  orNull(
    z
      .url({ protocol: /^https?$/ })
      .max(500)
      .refine((address) => address.includes(PRODUCT_ID), `must have ${PRODUCT_ID} where the product's id goes`),
    `the shop's page that ${of}, with ${PRODUCT_ID} for the id`,
  );

const accent = (scheme: Scheme) =>
  z
    .string()
    .refine(isColor, 'must be a color such as #2b55c8')
    .superRefine((color, context) => {
      const message = isColor(color) ? accentFault(color, scheme) : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .transform((color) => color.toLowerCase() as Color)
    .optional()
    .meta({ description: `the color of links and buttons on ${scheme} account pages, read at 4.5:1 or better` });

const webPicture = z.url({ protocol: /^https$/ }).max(500);

const isLogo = (text: string): boolean =>
  isUploadedLogo(text) ? uploadedLogo(text) !== undefined : webPicture.safeParse(text).success;

const picture = (where: string) =>
  z
    .string()
    .refine(isLogo, 'must be an https URL, or a PNG, JPEG or WebP picture of at most 64 KiB as a data: URL')
    .optional()
    .meta({ description: `a picture at the top of ${where}: an https URL, or the picture itself as a data: URL` });

const linked = (protocol: RegExp) => localized(z.url({ protocol }).max(500)).optional();

const links = once(() =>
  z
    .strictObject(
      Object.fromEntries(
        SHOP_LINKS.map((link) => [link, linked(link === 'support' ? /^(https?|mailto)$/ : /^https?$/)]),
      ) as Record<ShopLink, ReturnType<typeof linked>>,
    )
    .optional()
    .meta({ description: 'pages of the shop that each account page links to, by language' }),
);

const timeZone = z.string().refine(isTimeZone, 'must be the IANA name of a time zone, such as Europe/Berlin');

export const storefront = once(() =>
  z.strictObject({
    product_url: page('sells a product'),
    product_detail_url: page('describes a product to its owner'),
    name: line.optional().meta({ description: 'the name on account pages and of the sender of messages to buyers' }),
    logo_url: picture('account pages and messages to buyers'),
    logo_dark_url: picture('dark account pages, in place of logo_url'),
    logo_has_name: z
      .boolean()
      .optional()
      .meta({ description: 'true for a logo that has the name in it and stands alone' }),
    accent: accent('light'),
    accent_dark: accent('dark'),
    links: links(),
    reply_to: mailAddress.optional().meta({ description: 'where the answers to messages go' }),
    locale: z
      .enum(LANGUAGES)
      .optional()
      .meta({ description: 'the language of messages to buyers whose own is not known; en without it' }),
    languages: z
      .array(z.enum(LANGUAGES))
      .min(1)
      .refine((languages) => new Set(languages).size === languages.length, 'must name each language once')
      .optional()
      .meta({
        description:
          'the languages of account pages and messages; the first is for people who prefer none; en and ko without it',
      }),
    time_zone: timeZone.optional().meta({
      description:
        'the time zone of the days on account pages and in messages; that of withdrawal, else UTC, without it',
    }),
    tax_number: line
      .max(LONGEST_BILLING.tax_number)
      .optional()
      .meta({ description: 'the shop’s number for value added tax, for the receipts of what it sells itself' }),
    notify: z
      .strictObject({
        ...(Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, z.enum(NOTICE_TIMES).optional()])) as Record<
          NoticeKind,
          z.ZodOptional<z.ZodEnum<{ [T in NoticeTime]: T }>>
        >),
        to: z.array(mailAddress).min(1).max(MOST_NOTICE_ADDRESSES).optional().meta({
          description: 'the addresses that get every kind; without it each member gets the kinds of its role',
        }),
      })
      .optional()
      .meta({ description: 'mails to the shop about sales, tickets and problems, by kind' }),
    withdrawal: z
      .strictObject({
        days: z.int().min(1).max(60).meta({ description: 'full days after the day of payment' }),
        time_zone: timeZone,
        terms_url: orNull(z.url({ protocol: /^https$/ }).max(500), 'the shop’s page about withdrawal'),
      })
      .nullish()
      .meta({ description: 'lets buyers withdraw from an order that they have not used; without it they cannot' }),
  }),
);

/** Canonical JSON (RFC 8785) can't contain lone surrogates. */
const device_id = line
  .refine(isLine, 'must not contain control characters or half a surrogate pair')
  .transform(composedId);

/** The client policy of a store document, and the input of `policy set`. */
export const policy = once(() =>
  z.strictObject({
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
  }),
);

const terms = once(() =>
  z
    .array(
      z.strictObject({
        key: z.string().regex(/^[a-z0-9-]{1,60}$/, 'must be 1 to 60 lower-case letters, digits and hyphens'),
        name: localized(z.string().min(1).max(60)),
        description: localized(z.string().max(300)).optional(),
      }),
    )
    .max(TERMS_OF_SECTION)
    .default([]),
);

export const taxonomy = once(() =>
  z
    .strictObject({ page_types: terms(), patterns: terms(), elements: terms() })
    .meta({ description: 'words of the gallery, beside its own ones; a word replaces the one with the same key' }),
);
