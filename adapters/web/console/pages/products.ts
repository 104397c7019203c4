import { html } from 'hono/html';
import { moneyText } from '../../../../domain/billing/money.ts';
import { namedPlatforms } from '../../../../domain/catalog/platform.ts';
import { FEED_READERS, type Price, type Product, RULINGS, SLOT_KINDS } from '../../../../domain/catalog/product.ts';
import type { Gap } from '../../../../domain/delivery/supply.ts';
import { languagesOf, localeFor } from '../../../../domain/shared/language.ts';
import { inLocale, LOCALES, type Locale, type Localized } from '../../../../domain/shared/locale.ts';
import { refuse } from '../../../../domain/shared/outcome.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { showTrials } from '../../../../ports/inbound/shop/accounts.ts';
import {
  addProduct,
  changeProduct,
  createPolicyKey,
  describeProduct,
  listShopProducts,
  uploadReleaseFile,
} from '../../../../ports/inbound/shop/products.ts';
import type { Form } from '../../account/form.ts';
import { addPictures, picturePath } from '../../account/pages/pictures.ts';
import type { Html } from '../../shared/pieces.ts';
import { fieldsOf } from '../fields.ts';
import { products as en } from '../messages/en/products.ts';
import { products as ko } from '../messages/ko/products.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { allows, blocked, type ConsolePaths, done, type MemberFormVisit, type MemberVisit, refused } from '../paths.ts';
import { form, type Kit } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { badge, folded, list, section } from '../views/pieces.ts';
import { PROVIDERS, providerName } from './sales.ts';

const words = inBoth({ en, ko });

/** The kinds that a new product can have, each with its type and the way in which clients install it. */
const KINDS = {
  app: ['app', 'binary'],
  'mac-app': ['app', 'macos-app'],
  tool: ['tool', 'binary'],
  'plug-in': ['extension', 'manual'],
  extension: ['extension', 'vscode-vsix'],
  skill: ['skill', 'agent-skill'],
  content: ['content', 'managed-directory'],
  other: ['other', 'manual'],
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

const CURRENCIES = ['USD', 'EUR', 'GBP', 'KRW', 'JPY', 'CHF', 'CAD', 'AUD', 'SEK', 'INR', 'BRL'] as const;

type Described = AnswerIn<typeof describeProduct>;
type Gaps = Described['gaps'];

/** The answer's product, which is the stored record. */
export const storedProduct = ({ product }: { readonly product: object }): Product => product as Product;

export const productName = ({ locale }: Pick<ConsolePage, 'locale'>, { name, slug }: Product): string =>
  inLocale(name, locale) ?? slug;

const stateBadge = (page: ConsolePage, { active, published }: Product, gaps: Gaps): Html => {
  const m = words(page);
  if (!published) return badge(m.hidden);
  if (!active) return badge(m.offSale);
  const lack = gaps.map(({ gap }) => m.lacks[gap]).find(Boolean);
  return badge(lack ?? m.onSale, lack ? 'due' : 'good');
};

const priceText = (page: ConsolePage, { unit_price_cents, currency }: Product): string =>
  unit_price_cents === 0 ? words(page).free : moneyText(page.language, unit_price_cents, currency);

/** The page on which a step is taken; undefined for a step outside the console. */
const placeOf = (gap: Gap, { id }: Product): string | undefined => {
  if (gap === 'no_release' || gap === 'platforms' || gap === 'not_in_feed') return `/releases/${id}/new`;
  if (gap === 'no_shop_name' || gap === 'no_withdrawal_terms') return '/look';
  const parts: Partial<Record<Gap, string>> = {
    no_price: 'prices',
    hidden: 'visibility',
    off_sale: 'visibility',
    no_content: 'texts',
  };
  return parts[gap] && `#${parts[gap]}`;
};

const gapItem = (page: ConsolePage, product: Product, { gap, platforms = [] }: Gaps[number]): Html => {
  const m = words(page);
  const text = [m.gaps[gap], ...(platforms.length > 0 ? [platforms.join(', ')] : [])].join(' ');
  if (gap === 'no_signing_key' && allows(page.member, [createPolicyKey]))
    return html`<li>${text} ${form(page, { action: `/products/${product.id}/key`, submit: m.createKey })}</li>`;
  const href = placeOf(gap, product);
  return html`<li>${href === undefined ? text : html`<a href="${href}">${text}</a>`}</li>`;
};

const steps = (page: ConsolePage, product: Product, gaps: Gaps): Html => {
  const m = words(page);
  const of = (needed: boolean) => gaps.filter((gap) => gap.needed === needed);
  const items = (some: Gaps): Html => html`<ul class="todo">${some.map((gap) => gapItem(page, product, gap))}</ul>`;
  const advice = of(false);
  return html`${of(true).length > 0 ? section(m.missing, items(of(true))) : html`<p class="notice done">${m.ready}</p>`}
${advice.length > 0 ? folded(m.advice, items(advice), of(true).length === 0) : ''}`;
};

/** The languages of the API in which the shop has texts: those of its pages, or of a text that it has already. */
export const textLocales = ({ shop }: Pick<ConsolePage, 'shop'>, value: Localized | null = null): readonly Locale[] =>
  LOCALES.filter((locale) => value?.[locale] || languagesOf(shop.storefront).map(localeFor).includes(locale));

/** A text in each language of the shop, as a field each. */
export const both = (
  page: ConsolePage,
  kit: Kit,
  name: string,
  labels: readonly [string, string],
  value: Localized | null,
  rows?: number,
): Html =>
  html`${textLocales(page, value).map((locale) => {
    const spec = {
      name: `${name}.${locale}`,
      label: labels[LOCALES.indexOf(locale)] ?? '',
      value: value?.[locale] ?? '',
    };
    return rows === undefined ? kit.text({ ...spec, maxlength: 255 }) : kit.area({ ...spec, rows });
  })}`;

/** The typed texts; null if all are blank. */
export const textsIn = (sent: Form, name: string): Localized | null => {
  const typed = LOCALES.map((locale) => [locale, sent.text(`${name}.${locale}`)] as const);
  const filled = typed.filter(([, text]) => text.trim() !== '');
  return filled.length === 0 ? null : Object.fromEntries(filled);
};

/** The body of a change: null removes a field. */
export const changes = (fields: Readonly<Record<string, unknown>>) => {
  const set = Object.entries(fields).filter(([, value]) => value !== null);
  const remove = Object.keys(fields).filter((name) => fields[name] === null);
  return { ...Object.fromEntries(set), ...(remove.length > 0 && { remove }) } as object;
};

const newProductView = (page: ConsolePage): Html => {
  const m = words(page);
  return layout(page, {
    title: m.add,
    section: 'products',
    up: { href: '/products', text: m.title },
    lead: m.addLead,
    body: form(
      page,
      { action: '/products/new/add', submit: m.create, kind: 'main' },
      (kit) => html`
${kit.text({ name: `name.${page.locale}`, label: m.name, maxlength: 255, required: true })}
${kit.select({ name: 'kind', label: m.kind, options: KIND_NAMES.map((kind) => [kind, m.kinds[kind]]) })}
${kit.text({ name: 'unit_price_cents', label: m.unitPrice, hint: m.unitPriceHint, unfit: shellWords(page).unfitMoney, required: true })}
${kit.select({ name: 'unit_price_cents:currency', label: m.currency, value: page.locale === 'ko' ? 'KRW' : 'USD', options: CURRENCIES.map((one) => [one, one]) })}
${kit.number({ name: 'device_limit', ...m.license.device_limit, value: 3, min: 1 })}`,
    ),
  });
};

/** A number as typed; other text as it is, for the endpoint to refuse. */
const numberIn = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text);
const numberText = (value: unknown): string => String(value ?? '');

const namesIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
const namesText = (names: readonly string[] = []): string => names.join(', ');

const linesIn = (text: string, mark: string): (readonly [string, string])[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(mark);
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });

/** A field of a form: its control, the text of its value, and the value of a text that is not empty. */
type Row<T> = {
  readonly options?: readonly string[];
  readonly rows?: number;
  readonly min?: number;
  readonly max?: number;
  readonly text: (of: T) => string;
  readonly read: (text: string) => unknown;
};

const range = (name: keyof Product, min: number, max?: number): Row<Product> => ({
  min,
  ...(max !== undefined && { max }),
  text: (product) => numberText(product[name]),
  read: numberIn,
});

/** The fields about a product's licenses, those that most products use and the others. An empty one is removed. */
const USUAL_ROWS = {
  device_limit: range('device_limit', 0),
  license_keys: {
    options: ['', 'true', 'shown'],
    text: ({ license_keys }) => (typeof license_keys === 'object' ? 'shown' : license_keys ? 'true' : ''),
    read: (text) => (text === 'shown' ? { shown: true } : true),
  },
  trial_days: range('trial_days', 1, 365),
} satisfies { readonly [Name in keyof Product]?: Row<Product> };
const OTHER_ROWS = {
  slots: {
    options: SLOT_KINDS,
    text: ({ slots = 'devices' }) => slots,
    read: (text) => (text === 'devices' ? null : text),
  },
  editions: {
    rows: 3,
    text: ({ editions = [] }) => editions.map(({ name, features }) => `${name}: ${namesText(features)}`).join('\n'),
    read: (text) => linesIn(text, ':').map(([name, features]) => ({ name, features: namesIn(features) })),
  },
  features: { text: ({ features }) => namesText(features), read: namesIn },
  metadata: {
    rows: 3,
    text: ({ metadata = {} }) =>
      Object.entries(metadata)
        .map((pair) => pair.join('='))
        .join('\n'),
    read: (text) => Object.fromEntries(linesIn(text, '=')),
  },
  ttl_days: { text: ({ ttl_days }) => (ttl_days === null ? 'never' : numberText(ttl_days)), read: numberIn },
  lease_minutes: range('lease_minutes', 1, 1440),
  borrow_days: range('borrow_days', 0, 365),
} satisfies { readonly [Name in keyof Product]?: Row<Product> };

/** The license terms of a price. */
const PRICE_ROWS = {
  edition: { text: ({ edition = '' }) => edition, read: (text) => text },
  features: { text: ({ features }) => namesText(features), read: namesIn },
  upgrades_from: { text: ({ upgrades_from }) => namesText(upgrades_from), read: namesIn },
  requires: {
    text: ({ requires }) => (requires?.length === 0 ? '*' : namesText(requires)),
    read: (text) => (text === '*' ? [] : namesIn(text)),
  },
} satisfies { readonly [Name in keyof Price]?: Row<Price> };

type Words = { readonly label: string; readonly hint?: string; readonly options?: readonly string[] };

const rowFields = <T, N extends string>(
  kit: Kit,
  rows: { readonly [Name in N]: Row<T> },
  texts: { readonly [Name in N]: Words },
  of?: T,
): Html[] =>
  (Object.keys(rows) as N[]).map((name) => {
    const { options, rows: height, min, max, text }: Row<T> = rows[name];
    const { options: shown = [], ...words } = texts[name];
    const spec = { name, ...words, value: of === undefined ? '' : text(of) };
    if (options) return kit.select({ ...spec, options: options.map((one, n) => [one, shown[n] ?? one]) });
    if (height !== undefined) return kit.area({ ...spec, rows: height });
    if (min === undefined) return kit.text(spec);
    const value = spec.value === '' ? null : Number(spec.value);
    return kit.number({ ...spec, value, min, ...(max !== undefined && { max }) });
  });

/** The values that a form sends for these fields; null for an empty one. */
const rowValues = (sent: Form, rows: Readonly<Record<string, Pick<Row<never>, 'read'>>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, { read }]) => {
      const text = sent.text(name).trim();
      return sent.has(name) ? [[name, text === '' ? null : read(text)]] : [];
    }),
  );

/** The id of a price, and what it gives. */
export const priceTerms = (page: ConsolePage, price: Price): string => {
  const m = words(page);
  const {
    id,
    access_days,
    updates_days,
    device_limit,
    renewal,
    edition,
    features = [],
    upgrades_from,
    requires,
  } = price;
  const terms = [
    ...(device_limit === null ? [] : [m.priceTerms.devices(device_limit)]),
    ...(access_days === null ? [] : [m.priceTerms.access(access_days)]),
    ...(updates_days === null ? [] : [m.priceTerms.updates(updates_days)]),
    ...(renewal ? [m.priceTerms.renewal] : []),
    ...(edition === undefined ? [] : [edition]),
    ...features,
    ...(upgrades_from ? [m.priceTerms.upgrade(namesText(upgrades_from))] : []),
    ...(requires ? [m.priceTerms.addOn(namesText(requires))] : []),
  ];
  return terms.length === 0 ? id : `${id} (${terms.join(', ')})`;
};

const priceRow = (page: ConsolePage, { id }: Product, price: Price, n: number): Html =>
  html`<li><strong>${providerName(page, price.provider)}</strong> ${priceTerms(page, price)}
${form(page, { action: `/products/${id}/remove-price`, submit: words(page).removePrice }, (kit) => kit.hidden('n', n))}</li>`;

const pricesCard = (page: ConsolePage, product: Product): Html => {
  const m = words(page);
  const action = `/products/${product.id}/add-price`;
  const { prices = [] } = product;
  return section(
    m.prices,
    html`${prices.length === 0 ? html`<p class="none">${m.pricesNone}</p>` : html`<ul class="todo">${prices.map((price, n) => priceRow(page, product, price, n))}</ul>`}
${folded(
  m.addPrice,
  form(
    page,
    { action, submit: m.addPrice },
    (kit) => html`
${kit.select({ name: 'provider', label: m.provider, options: [...Object.keys(PROVIDERS), 'shop'].map((one) => [one, providerName(page, one)]) })}
${kit.text({ name: 'price', label: m.priceId, hint: m.priceIdHint, maxlength: 255, required: true })}
${kit.number({ name: 'device_limit', ...m.priceDevices, min: 1 })}
${kit.number({ name: 'access_days', label: m.accessDays, hint: m.forever, min: 0 })}
${kit.number({ name: 'updates_days', label: m.updatesDays, hint: m.forever, min: 0 })}
${kit.number({ name: 'grace_days', label: m.graceDays, value: 0, min: 0 })}
${kit.check({ name: 'renewal', label: m.renewal, checked: false })}
${rowFields<Price, keyof typeof PRICE_ROWS>(kit, PRICE_ROWS, m.priceFields)}`,
  ),
  page.filled?.action === action,
)}`,
  );
};

const pictureCard = (page: ConsolePage, product: Product): Html => {
  const m = words(page);
  const { id, hero } = product;
  const alt = inLocale(hero?.alt ?? {}, page.locale) ?? productName(page, product);
  return section(
    m.picture,
    html`${hero ? html`<img src="${picturePath(id)}?${hero.path}" alt="${alt}" width="240">` : html`<p class="none">${m.pictureNone}</p>`}
${form(
  page,
  { action: `/products/${id}/picture`, submit: m.pictureSave, takesFile: true },
  (kit) => html`
${kit.file({ label: m.pictureFile, hint: m.pictureHint, accept: 'image/png,image/jpeg,image/webp', required: true })}
${kit.text({ name: 'alt', label: m.pictureAlt, hint: m.pictureAltHint, value: alt, maxlength: 255, required: true })}`,
)}
${hero ? form(page, { action: `/products/${id}/remove-picture`, submit: m.pictureRemove }) : ''}`,
  );
};

const SYSTEMS = ['macos', 'linux', 'windows'] as const;

/** The names among a product's platforms that are of a system. */
const ofSystem = (system: string, platforms: readonly string[]): string[] =>
  platforms.filter((name) => namedPlatforms([name]).some((one) => namedPlatforms([system]).includes(one)));

const moreCard = (page: ConsolePage, product: Product): Html => {
  const m = words(page);
  const { id, platforms, bundle_id, feed, shared_devices, uncovered_versions } = product;
  const action = `/products/${id}/details`;
  const rulings = RULINGS.map((one) => [one, m.rulings[one]] as const);
  return folded(
    m.more,
    form(
      page,
      { action, submit: m.save },
      (kit) => html`
<fieldset><legend>${m.platforms}</legend><p class="hint">${m.platformsHint}</p>${SYSTEMS.map((one) =>
        kit.one({ name: 'platforms', label: m.systems[one], value: one, checked: ofSystem(one, platforms).length > 0 }),
      )}</fieldset>
${kit.text({ name: 'bundle_id', label: m.bundleId, hint: m.bundleIdHint, value: bundle_id ?? '', maxlength: 255 })}
${kit.select({ name: 'feed', label: m.feed, value: feed ?? 'public', options: FEED_READERS.map((one) => [one, m.feeds[one]]) })}
${kit.select({ name: 'shared_devices', label: m.sharedDevices, value: shared_devices ?? 'allowed', options: rulings })}
${kit.select({ name: 'uncovered_versions', label: m.uncovered, value: uncovered_versions ?? 'allowed', options: rulings })}`,
    ),
    page.filled?.action === action,
  );
};

const trialsCard = (page: ConsolePage, { months }: AnswerIn<typeof showTrials>): Html => {
  const m = words(page);
  const rows = months.map(({ month, started, converted }) => ({ cells: [month, String(started), String(converted)] }));
  return section(
    m.trials,
    list(page, { caption: m.trials, columns: m.trialColumns, numbers: [1, 2], rows, empty: { title: '', text: '' } }),
  );
};

const productView = (page: ConsolePage, described: Described, trials: AnswerIn<typeof showTrials> | null): Html => {
  const m = words(page);
  const product = storedProduct(described);
  const { id, active, published, managed_by, list_price_cents, unit_price_cents, currency } = product;
  const to = (word: string): string => `/products/${id}/${word}`;
  return layout(page, {
    title: productName(page, product),
    section: 'products',
    up: { href: '/products', text: m.title },
    badge: stateBadge(page, product, described.gaps),
    actions: page.sections.has('releases') ? html`<a class="button" href="/releases/${id}">${m.releases}</a>` : '',
    body: html`${managed_by === undefined ? '' : html`<div class="note"><h2>${m.managedTitle}</h2><p>${m.managed}</p></div>`}
${steps(page, product, described.gaps)}
<div class="two"><div class="cards"><div id="terms">${section(
      m.terms,
      form(
        page,
        { action: to('terms'), submit: m.save },
        (kit) => html`
${kit.money({ name: 'unit_price_cents', label: m.unitPrice, hint: m.unitPriceHint, cents: unit_price_cents, currency, required: true })}
${kit.money({ name: 'list_price_cents', label: m.listPrice, hint: m.listPriceHint, cents: list_price_cents, currency })}
${rowFields<Product, keyof typeof USUAL_ROWS>(kit, USUAL_ROWS, m.license, product)}
${folded(m.licenseMore, html`${rowFields<Product, keyof typeof OTHER_ROWS>(kit, OTHER_ROWS, m.license, product)}`, page.filled?.action === to('terms'))}`,
      ),
    )}</div><div id="texts">${section(
      m.texts,
      form(
        page,
        { action: to('texts'), submit: m.save },
        (kit) => html`
${both(page, kit, 'name', [m.nameEn, m.nameKo], product.name)}
${both(page, kit, 'type_label', [m.kindLabel, m.kindLabelKo], product.type_label)}
${both(page, kit, 'description', [m.description, m.descriptionKo], product.description, 3)}
<p class="hint">${m.pageHint}</p>${both(page, kit, 'detail_html', [m.pageText, m.pageTextKo], described.detail_html as Localized | null, 6)}`,
      ),
    )}</div></div>
<div class="cards"><div id="prices">${pricesCard(page, product)}</div>${pictureCard(page, product)}
<div id="visibility">${section(
      m.visibility,
      html`<p>${m.hideText}</p>${form(page, { action: to('state'), submit: published ? m.hide : m.show }, (kit) => kit.hidden('published', String(!published)))}
<p>${m.stopText}</p>${form(page, { action: to('state'), submit: active ? m.stop : m.sell }, (kit) => kit.hidden('active', String(!active)))}`,
    )}</div>${trials ? trialsCard(page, trials) : ''}</div></div>
${moreCard(page, product)}`,
  });
};

/** The slug of a name, in the letters that addresses have; `product` for a name in other letters. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 90) || 'product';

/** The most names of one slug, each with a number. */
const MOST_ALIKE = 30;

const isTaken = (refusal: { readonly data?: unknown }): boolean =>
  ((refusal.data as { faults?: readonly { path: string }[] } | undefined)?.faults ?? []).some(
    ({ path }) => path === 'slug',
  );

/** The refusal of a form whose file was not chosen. */
export const NO_FILE = refuse('validation_failed', { data: { errors: { file: [''] } } });

/** The pages of the products: their list with what each lacks, a new one in one short form, and the rest afterwards. */
export const addProductPages = (paths: ConsolePaths): void => {
  const { ask } = paths;
  const needs = [listShopProducts];
  paths.section('products', needs);
  addPictures(paths.gate, { hidden: true });

  paths.page('/products', needs, async (visit) => {
    const found = await ask(visit, listShopProducts, { query: { after: visit.query.get('after'), limit: 50 } });
    if (!found.ok) return blocked(found);
    // A shop has a provider or not, so the list says it once.
    const noProvider = found.value.data.some(({ gaps }) => gaps.some(({ gap }) => gap === 'no_provider'));
    return show((page) => {
      const m = words(page);
      const rows = found.value.data.map((listed) => {
        const product = storedProduct(listed);
        const gap = listed.gaps.find(({ needed, gap }) => needed && gap !== 'no_provider')?.gap;
        const newest = listed.newest.stable ?? listed.newest.beta ?? '';
        return {
          href: `/products/${product.id}`,
          cells: [
            productName(page, product),
            stateBadge(page, product, listed.gaps),
            priceText(page, product),
            newest,
            gap ? m.gaps[gap] : '',
          ],
        };
      });
      const add = { href: '/products/new', text: m.add };
      return layout(page, {
        title: m.title,
        section: 'products',
        actions: html`<a class="button main" href="${add.href}">${add.text}</a>`,
        ...(noProvider && { lead: m.gaps.no_provider }),
        body: list(page, {
          caption: m.title,
          columns: [m.product, m.state, m.price, m.newest, m.next],
          rows,
          empty: { title: m.none, text: m.noneText, next: add },
          next: found.value.next_after,
        }),
      });
    });
  });

  paths.page('/products/new', [addProduct], () => show(newProductView));

  paths.form('/products/new/add', {}, async (visit) => {
    const { form: sent, locale } = visit;
    const kind = KIND_NAMES.find((one) => one === sent.text('kind')) ?? 'other';
    const [type, strategy] = KINDS[kind];
    const body = {
      ...fieldsOf(sent, addProduct),
      type,
      type_label: { en: en.kinds[kind], ko: ko.kinds[kind] },
      currency: sent.text('unit_price_cents:currency'),
      delivery: { strategy },
    };
    const slug = slugOf(sent.text(`name.${locale}`));
    for (let n = 1; ; n++) {
      const added = await ask(visit, addProduct, { body: { ...body, slug: n === 1 ? slug : `${slug}-${n}` } as never });
      if (added.ok) return done(visit, `/products/${added.value.id}`, words(visit).added);
      if (!isTaken(added) || n === MOST_ALIKE) return refused(visit, added, show(newProductView));
    }
  });

  const productAnswer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const found = await ask(visit, describeProduct, { params: { named: String(visit.req.params['product']) } });
    if (!found.ok) return blocked(found);
    const { id, trial_days } = storedProduct(found.value);
    const input = { params: { named: String(id) }, query: {} };
    const trials = trial_days === undefined ? null : await paths.glance(visit, showTrials, input);
    return show((page) => productView(page, found.value, trials));
  };
  paths.page('/products/:product', [describeProduct], productAnswer);

  type Body = Readonly<Record<string, unknown>>;
  const change = async (visit: MemberFormVisit, fields: Body): Promise<ConsoleAnswer> => {
    const named = String(visit.req.params['product']);
    const changed = await ask(visit, changeProduct, { params: { named }, body: changes(fields) as never });
    if (!changed.ok) return refused(visit, changed, await productAnswer(visit));
    return done(visit, `/products/${named}`, words(visit).saved);
  };
  type Reading = (sent: Form, visit: MemberFormVisit) => Body;
  const changing = (word: string, fields: Reading): void =>
    paths.form(`/products/:product/${word}`, {}, (visit) => change(visit, fields(visit.form, visit)));

  changing('terms', (sent) => {
    const { unit_price_cents = '', list_price_cents = null } = fieldsOf(sent, changeProduct);
    return { unit_price_cents, list_price_cents, ...rowValues(sent, { ...USUAL_ROWS, ...OTHER_ROWS }) };
  });
  changing('texts', (sent, { locale }) => ({
    name: textsIn(sent, 'name') ?? { [locale]: '' },
    type_label: textsIn(sent, 'type_label') ?? { [locale]: '' },
    description: textsIn(sent, 'description'),
    detail_html: textsIn(sent, 'detail_html'),
  }));
  changing('state', (sent) => {
    const names = ['published', 'active'].filter((name) => sent.has(name));
    return Object.fromEntries(names.map((name) => [name, sent.text(name) === 'true']));
  });
  changing('remove-picture', () => ({ picture: null }));

  /** The stored product, for a change of a part of one of its fields. */
  const withStored = (word: string, fields: (sent: Form, product: Product) => Body): void =>
    paths.form(`/products/:product/${word}`, {}, async (visit) => {
      const found = await ask(visit, describeProduct, { params: { named: String(visit.req.params['product']) } });
      return found.ok ? change(visit, fields(visit.form, storedProduct(found.value))) : blocked(found);
    });
  withStored('details', (sent, { platforms }) => ({
    // A system that stays keeps its platforms, such as one kind of processor.
    platforms: sent.all('platforms').flatMap((system) => {
      const named = ofSystem(system, platforms);
      return named.length > 0 ? named : [system];
    }),
    bundle_id: sent.text('bundle_id').trim() || null,
    ...Object.fromEntries(
      [
        ['feed', 'entitled'],
        ['shared_devices', 'refused'],
        ['uncovered_versions', 'refused'],
      ].map(([name = '', set]) => [name, sent.text(name) === set ? set : null]),
    ),
  }));
  const days = (text: string): number | null => (/^\d{1,5}$/.test(text) ? Number(text) : null);
  withStored('add-price', (sent, { prices = [] }) => {
    const terms = {
      provider: sent.text('provider'),
      id: sent.text('price').trim(),
      device_limit: days(sent.text('device_limit')),
      access_days: days(sent.text('access_days')),
      updates_days: days(sent.text('updates_days')),
      grace_days: days(sent.text('grace_days')) ?? 0,
      ...(sent.all('renewal').includes('true') && { renewal: true }),
      ...Object.fromEntries(Object.entries(rowValues(sent, PRICE_ROWS)).filter(([, value]) => value !== null)),
    };
    return { prices: [...prices, terms] };
  });
  withStored('remove-price', (sent, { prices = [] }) => {
    const left = prices.filter((_, n) => String(n) !== sent.text('n'));
    return { prices: left.length > 0 ? left : null };
  });

  paths.form('/products/:product/picture', { takesFile: changeProduct }, async (visit) => {
    const { file } = visit.form;
    if (!file?.size) return refused(visit, NO_FILE, await productAnswer(visit));
    const kept = await ask(visit, uploadReleaseFile, { body: {}, files: { file } });
    if (!kept.ok) return refused(visit, kept, await productAnswer(visit));
    return change(visit, { picture: { sha256: kept.value.sha256, alt: { [visit.locale]: visit.form.text('alt') } } });
  });

  paths.form('/products/:product/key', { fresh: true }, async (visit) => {
    const made = await ask(visit, createPolicyKey, {});
    if (!made.ok) return refused(visit, made, await productAnswer(visit));
    return done(visit, `/products/${String(visit.req.params['product'])}`, words(visit).keyCreated);
  });
};
