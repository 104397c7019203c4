import { canonicalAddress } from '../../domain/accounts/address.ts';
import { SCHEMES } from '../../domain/catalog/accent.ts';
import { accentOf, type Catalog, type Storefront, zoneOf } from '../../domain/catalog/catalog.ts';
import { isUploadedLogo, LOGO_FIELDS, logoPath } from '../../domain/catalog/logo.ts';
import { exampleFacts } from '../../domain/mail/examples.ts';
import { letterHtml, letterText } from '../../domain/mail/letter.ts';
import type { MessageKind } from '../../domain/mail/message.ts';
import { type Facts, letterOf } from '../../domain/mail/texts.ts';
import { type Language, localeFor } from '../../domain/shared/language.ts';
import { inLocale } from '../../domain/shared/locale.ts';
import { plainName } from '../../domain/shared/plain-text.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Mail } from '../../ports/outbound/mail.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

type Face = Pick<Catalog, 'storefront' | 'disclosure'>;

/** The name of the host on which buyers sign in; messages of a shop without a name have it. */
export const siteOf = (links: Links): string => new URL(links.ownPage('library')).hostname;

/** The storefront with the addresses of its logo, which a mail program loads: an uploaded one is on the buyers' pages. */
export const withLogoUrls = <S extends Partial<Storefront>>(storefront: S, links: Links): S => {
  const urls = SCHEMES.flatMap((scheme) => {
    const url = storefront[LOGO_FIELDS[scheme]];
    return url && isUploadedLogo(url) ? [[LOGO_FIELDS[scheme], links.ownPage(logoPath(scheme))]] : [];
  });
  return { ...storefront, ...Object.fromEntries(urls) };
};

/** A message in a language as the shop's buyers get it. */
export const shopLetter = (
  { storefront, disclosure }: Face,
  links: Links,
  content: Facts,
  language: Language,
): Omit<Mail, 'id' | 'to'> => {
  const letter = letterOf(content, language);
  const head = {
    name: storefront?.name ?? siteOf(links),
    logo_url: (storefront && withLogoUrls(storefront, links).logo_url) ?? null,
    logo_has_name: storefront?.logo_has_name ?? false,
    accent: accentOf(storefront).light,
  };
  return {
    from_name: head.name,
    reply_to: storefront?.reply_to ?? canonicalAddress(disclosure?.[localeFor(language)].email ?? ''),
    subject: plainName(letter.subject) ?? '',
    text: letterText(letter, head),
    html: letterHtml(letter, head, language),
  };
};

/** The facts of an example message of the shop, about the first product that it sells. */
export const exampleOf = async (
  { catalogs, clock, links }: Needs<'catalogs' | 'clock' | 'links'>,
  kind: MessageKind,
  language: Language,
): Promise<Facts> => {
  const { products, storefront, disclosure } = await catalogs.current();
  const all = [...products.values()];
  const sold = all.find(({ active, published }) => active && published) ?? all[0];
  const locale = localeFor(language);
  return exampleFacts(kind, {
    now: clock.now(),
    product: inLocale(sold?.name ?? {}, locale) ?? 'Example',
    currency: sold?.currency ?? 'EUR',
    seller: disclosure?.[locale].company_name || (storefront?.name ?? null),
    time_zone: zoneOf(storefront),
    url: links.ownPage('library'),
  });
};

/** The parts of the shop's face that messages show. */
export type MailFace = Pick<Storefront, 'name' | 'logo_url' | 'logo_has_name' | 'accent' | 'reply_to'>;
