import { type Color, isColor } from '../../../../domain/catalog/accent.ts';
import type { Catalog, Storefront } from '../../../../domain/catalog/catalog.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../../../domain/mail/message.ts';
import { isLanguage, type Language, languagesOf, localeFor } from '../../../../domain/shared/language.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { previewMail } from '../../../../ports/inbound/shop/look.ts';
import { wholeReply } from '../../../host/reply.ts';
import { logosOf } from '../../account/headers.ts';
import { MESSAGES } from '../../account/messages/messages.ts';
import { libraryView, type Shown } from '../../account/pages/library.ts';
import { accountSite } from '../../account/site.ts';
import type { Page } from '../../account/views/page.ts';
import { signInView } from '../../account/views/sign-in.ts';
import type { ConsoleAnswer } from '../page.ts';
import { blocked, type ConsolePaths } from '../paths.ts';

/** The buyers' pages that a preview shows. */
export const PREVIEWED = ['library', 'sign-in'] as const;

/** The face of the shop that a preview shows, as the parameters of its address. */
export const FACE = ['name', 'accent', 'accent_dark', 'logo_has_name'] as const;

/** The content of a preview: the proposed face, the kind of message and the language. */
export type Preview = {
  readonly face: Readonly<Partial<Record<(typeof FACE)[number], string>>>;
  readonly kind: MessageKind;
  readonly language: Language;
};

export const previewIn = (query: URLSearchParams, storefront: Storefront | null): Preview => {
  const language = query.get('language') ?? '';
  return {
    face: Object.fromEntries(FACE.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : []))),
    kind: MESSAGE_KINDS.find((kind) => kind === query.get('kind')) ?? 'order',
    language: isLanguage(language) ? language : (languagesOf(storefront)[0] as Language),
  };
};

/** The address of a preview, or of the page with it. */
export const previewAt = (path: string, { face, kind, language }: Preview, more: object = {}): string =>
  `${path}?${new URLSearchParams({ ...face, kind, language, ...more })}`;

/** The storefront with the proposed face. A text that is no color leaves the stored one. */
export const proposedFace = (stored: Storefront | null, { face }: Preview): Storefront => {
  const { name, accent, accent_dark, logo_has_name } = face;
  const color = (text: string | undefined, kept: string | undefined): Color | undefined =>
    text !== undefined && isColor(text) ? text : (kept as Color | undefined);
  return {
    ...(stored ?? { product_url: null, product_detail_url: null }),
    ...(name?.trim() && { name: name.slice(0, 100) }),
    accent: color(accent, stored?.accent),
    accent_dark: accent_dark === '' ? undefined : color(accent_dark, stored?.accent_dark),
    ...(logo_has_name !== undefined && { logo_has_name: logo_has_name === 'true' }),
  };
};

/** A product of an imagined buyer. */
const bought = (id: number, name: string, now: string): Shown => {
  const file = {
    platform: null,
    filename: '',
    size: 48_000_000,
    sha256: '',
    release_id: id,
    version: '1.4.0',
  } as const;
  const own = { ...file, channel: 'stable', notes: null } as const;
  return {
    id,
    name,
    type_label: 'App',
    description: null,
    license: {
      state: 'active',
      source: 'direct',
      access_expires_at: null,
      updates_supported_until: null,
      edition: null,
      features: [],
    },
    devices: { used: 1, limit: 3 },
    license_keys: null,
    release: { version: '1.4.0', channel: 'stable', released_at: now },
    files: [own],
    older: [],
    bundled: [],
    has_picture: false,
    agent_tools: [],
    installed: null,
    setup: null,
    uncovered_version: null,
    own,
  };
};

const pageHtml = ({ products, disclosure }: Catalog, storefront: Storefront, language: Language, view: string) => {
  const shop = { storefront, disclosure };
  const locale = localeFor(language);
  const site = accountSite('', true);
  const page: Page = { language, locale, m: MESSAGES[language], csrf: '', here: '/', site, shop, email: null };
  if (view === 'sign-in') {
    const methods = { password: true, upstream: null };
    return signInView(page, { next: '/', email: '', fault: null, methods, passkeys: false, mails: true });
  }
  const sold = [...products.values()].filter(({ active, published }) => active && published).slice(0, 2);
  const purchases = sold.map(({ id, name, created_at }) => bought(id, inLocale(name, locale) ?? '', created_at));
  const model = { sought: '', sort: 'released', isLong: false, turn: 1, notice: null, due: undefined } as const;
  return libraryView({ ...page, email: 'ada@example.com' }, { ...model, purchases, total: purchases.length });
};

/** A document for a frame of the console only, in which no link and no form leads anywhere. */
const framed = (html: string, origin: string, style: string, logos: string): ConsoleAnswer => {
  const sources = `style-src ${style}; img-src ${origin}${logos}`;
  return {
    reply: wholeReply(200, 'text/html; charset=utf-8', html.replace('<head>', '<head><base target="_blank">'), {
      'content-security-policy': `default-src 'none'; ${sources}; form-action 'none'; frame-ancestors 'self'; sandbox`,
      'x-frame-options': 'SAMEORIGIN',
    }),
  };
};

/**
 * Serves previews of messages and of the buyers' pages by a proposed face, of which nothing is stored. `account` is the
 * origin of the buyers' pages, which have an uploaded logo.
 */
export const addLookPreviews = (paths: ConsolePaths, account: string): void => {
  const { catalogs } = paths.gate.settings.parts;
  const origin = new URL(paths.gate.settings.site.url).origin;

  paths.page('/look/mail', [previewMail], async (visit) => {
    const { storefront } = await catalogs.current();
    const { face, kind, language } = previewIn(visit.query, storefront);
    const { accent_dark: _, ...query } = face;
    const mail = await paths.ask(visit, previewMail, { query: { ...query, kind, language } });
    if (!mail.ok) return blocked(mail);
    return framed(mail.value.html, account, "'unsafe-inline'", logosOf({ storefront, disclosure: null }));
  });

  paths.page('/look/page', [previewMail], async ({ query }) => {
    const catalog = await catalogs.current();
    const preview = previewIn(query, catalog.storefront);
    const storefront = proposedFace(catalog.storefront, preview);
    const html = String(await pageHtml(catalog, storefront, preview.language, query.get('view') ?? ''));
    return framed(html, origin, origin, logosOf({ storefront, disclosure: null }));
  });
};
