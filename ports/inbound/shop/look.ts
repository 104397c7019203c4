import * as z from 'zod';
import { MESSAGE_KINDS } from '../../../domain/mail/message.ts';
import { LANGUAGES } from '../../../domain/shared/language.ts';
import { component, nullableText, once } from '../answers.ts';
import { orNull, queryFlag, queryOneOf, queryText } from '../fields.ts';
import { disclosure, storefront } from '../store-document/shop.ts';
import { each } from './records.ts';
import { shopEndpoints } from './terms.ts';

const shop = shopEndpoints('catalog');

/** A text by the rule of a field of the storefront. */
const by = (name: keyof ReturnType<typeof storefront>['shape']) =>
  z.string().superRefine((text, context) => {
    const { issues = [] } = storefront().shape[name].safeParse(text).error ?? {};
    for (const { message } of issues) context.addIssue({ code: 'custom', message });
  });

export const previewMail = shop({
  id: 'previewMail',
  path: '/api/shop/mail-preview',
  query: () =>
    z.object({
      kind: queryOneOf(MESSAGE_KINDS, 'The kind of message; `order` by default.', { otherwise: 'order' }),
      language: queryOneOf(LANGUAGES, 'The language; that of the shop by default.'),
      name: queryText(100, 'Another name of the shop.', by('name')),
      accent: queryText(7, 'Another accent color.', by('accent')),
      logo_url: queryText(500, 'The https address of another logo.', by('logo_url')),
      logo_has_name: queryFlag('True if the logo contains the name.'),
      reply_to: queryText(255, 'Another address for answers.', by('reply_to')),
    }),
  answer: () =>
    z.object({
      language: z.enum(LANGUAGES),
      from_name: z.string(),
      reply_to: nullableText,
      ...each(z.string(), 'subject', 'text', 'html'),
    }),
  tool: { name: 'shop_preview_mail', effect: 'reads' },
});

/** The member who calls it gets the mail. */
export const sendTestMail = shop({
  id: 'sendTestMail',
  method: 'POST',
  path: '/api/shop/test-mails',
  body: () => component('ShopTestMailBody', { kind: z.enum(MESSAGE_KINDS), language: orNull(z.enum(LANGUAGES)) }),
  answer: () => z.object({ result: z.enum(['queued', 'no_mail', 'no_address']), to: nullableText }),
});

const shopDisclosureData = once(() =>
  z
    .object({ ko: z.looseObject({ company_name: z.string() }), en: z.looseObject({ company_name: z.string() }) })
    .meta({ id: 'ShopDisclosureData', description: 'the facts about the seller as the store document has them' }),
);

export const showShopDisclosure = shop({
  id: 'showShopDisclosure',
  path: '/api/shop/disclosure',
  answer: () => z.object({ disclosure: shopDisclosureData().nullable() }),
  tool: { name: 'shop_show_disclosure', effect: 'reads' },
});

/** The law asks for it, and buyers rely on it. */
export const setDisclosure = shop({
  id: 'setDisclosure',
  method: 'POST',
  path: '/api/shop/disclosure',
  access: { credential: 'agent', role: 'everything' },
  body: () => disclosure().meta({ id: 'ShopDisclosureBody' }),
  answer: () => z.object({ disclosure: shopDisclosureData(), result: z.enum(['created', 'updated', 'unchanged']) }),
  tool: { name: 'shop_set_disclosure', effect: 'replaces' },
});
