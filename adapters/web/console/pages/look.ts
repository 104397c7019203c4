import { html } from 'hono/html';
import { accentContrast, type Scheme } from '../../../../domain/catalog/accent.ts';
import {
  accentOf,
  DISCLOSURE_FIELDS,
  type Disclosure,
  SHOP_LINKS,
  type Storefront,
} from '../../../../domain/catalog/catalog.ts';
import { LOGO_FIELDS, logoOfFile, MAX_LOGO_BYTES } from '../../../../domain/catalog/logo.ts';
import { MESSAGE_KINDS } from '../../../../domain/mail/message.ts';
import { LANGUAGE_NAMES, LANGUAGES, languagesOf } from '../../../../domain/shared/language.ts';
import { LOCALES } from '../../../../domain/shared/locale.ts';
import { refuse } from '../../../../domain/shared/outcome.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { previewMail, sendTestMail, setDisclosure, showShopDisclosure } from '../../../../ports/inbound/shop/look.ts';
import { changeStorefront, setPolicy, showPolicy } from '../../../../ports/inbound/shop/products.ts';
import { logoAddress } from '../../account/assets/assets.ts';
import type { Form } from '../../account/form.ts';
import { policyOf } from '../../account/headers.ts';
import { facts, flag, type Html } from '../../shared/pieces.ts';
import { fieldsOf } from '../fields.ts';
import { look as en } from '../messages/en/look.ts';
import { look as ko } from '../messages/ko/look.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, done, type MemberFormVisit, type MemberVisit, refused } from '../paths.ts';
import { form, type Kit } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { folded, section } from '../views/pieces.ts';
import { addLookPreviews, FACE, PREVIEWED, type Preview, previewAt, previewIn, proposedFace } from './look-preview.ts';
import { both, changes, textLocales, textsIn } from './products.ts';

const words = inBoth({ en, ko });

type Mail = AnswerIn<typeof previewMail>;
type Policy = AnswerIn<typeof showPolicy>;

type Look = {
  /** As stored. */
  readonly storefront: Storefront | null;
  readonly disclosure: Disclosure | null;
  readonly policy: Policy;
  readonly preview: Preview;
  /** Null if the proposed face was refused. */
  readonly mail: Mail | null;
};

const card = (page: ConsolePage, title: string, action: string, fields: (kit: Kit) => Html): Html =>
  section(
    title,
    folded(
      words(page).change,
      form(page, { action, submit: words(page).save }, fields),
      page.filled?.action === action,
    ),
  );

const contrastText = (page: ConsolePage, face: Storefront, scheme: Scheme): string =>
  words(page).contrast[scheme](String(Math.floor(accentContrast(accentOf(face)[scheme], scheme) * 10) / 10));

const faceCard = (page: ConsolePage, { storefront, preview }: Look): Html => {
  const m = words(page);
  const face = proposedFace(storefront, preview);
  const accent = accentOf(face);
  const typed = (name: keyof Preview['face'], stored: string | undefined): string => preview.face[name] ?? stored ?? '';
  return section(
    m.face,
    form(
      page,
      { action: '/look/face', submit: m.save, kind: 'main' },
      (kit) => html`
${kit.text({ name: 'name', label: m.name, hint: m.nameHint, value: typed('name', storefront?.name), maxlength: 100, required: true })}
${kit.text({ name: 'accent', label: m.accent, hint: contrastText(page, face, 'light'), value: typed('accent', accent.light), maxlength: 7 })}
${kit.text({ name: 'accent_dark', label: m.accentDark, hint: contrastText(page, face, 'dark'), value: typed('accent_dark', storefront?.accent_dark), maxlength: 7 })}
${kit.check({ name: 'logo_has_name', label: m.logoHasName, checked: face.logo_has_name ?? false })}
<button formaction="/look/preview">${m.preview}</button>`,
    ),
  );
};

const previewCard = (page: ConsolePage, { preview, mail, storefront }: Look): Html => {
  const m = words(page);
  const { face, kind, language } = preview;
  const select = (name: string, label: string, chosen: string, all: readonly (readonly [string, string])[]): Html =>
    html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${all.map(
      ([one, text]) => html`<option value="${one}"${flag('selected', one === chosen)}>${text}</option>`,
    )}</select></div>`;
  const frame = (path: string, title: string): Html =>
    html`<iframe class="preview" src="${path}" title="${title}" sandbox loading="lazy"></iframe>`;
  return section(
    m.previewTitle,
    html`${Object.keys(face).length === 0 ? '' : html`<p class="notice">${m.unsaved}</p>`}
<form action="/look#preview" id="preview" class="filters">${Object.entries(face).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${select(
  'kind',
  m.message,
  kind,
  MESSAGE_KINDS.map((one) => [one, m.kinds[one]] as const),
)}
${select(
  'language',
  m.language,
  language,
  languagesOf(storefront).map((one) => [one, LANGUAGE_NAMES[one]] as const),
)}
<button>${m.show}</button></form>
${
  mail === null
    ? html`<p class="notice fault" role="alert">${m.unfit}</p>`
    : html`${facts([
        [m.from, mail.from_name],
        [m.replyTo, mail.reply_to],
        [m.subject, mail.subject],
      ])}
${frame(previewAt('/look/mail', preview), m.mailFrame)}
${folded(m.asText, html`<pre class="answer">${mail.text}</pre>`)}
${form(page, { action: '/look/test', submit: m.test }, (kit) => html`${kit.hidden('kind', kind)}${kit.hidden('language', language)}`)}`
}
<div class="two">${PREVIEWED.map((view) => html`<div><h3>${m.pages[view]}</h3>${frame(previewAt('/look/page', preview, { view }), m.pages[view])}</div>`)}</div>`,
  );
};

const logoCard = (page: ConsolePage, { storefront }: Look): Html => {
  const m = words(page);
  const schemes = (['light', 'dark'] as const).map((scheme) => [scheme, logoAddress(storefront, scheme)] as const);
  return section(
    m.logo,
    html`${schemes.map(([scheme, url]) =>
      url === undefined
        ? ''
        : html`<figure class="logo ${scheme}"><img src="${url}" alt="${m.logos[scheme]}"></figure>
${form(page, { action: '/look/remove-logo', submit: m.removeLogo[scheme] }, (kit) => kit.hidden('scheme', scheme))}`,
    )}
${form(
  page,
  { action: '/look/logo', submit: m.saveLogo, takesFile: true },
  (
    kit,
  ) => html`${kit.file({ label: m.logoFile, hint: m.logoHint, accept: 'image/png,image/jpeg,image/webp', required: true })}
${kit.select({ name: 'scheme', label: m.logoFor, options: schemes.map(([scheme]) => [scheme, m.logos[scheme]]) })}`,
)}`,
  );
};

const linksCard = (page: ConsolePage, { storefront }: Look): Html => {
  const m = words(page);
  return card(
    page,
    m.links,
    '/look/links',
    (kit) => html`<p class="hint">${m.linksHint}</p>
${SHOP_LINKS.map((link) => both(page, kit, `links.${link}`, [`${m.link[link]} (English)`, `${m.link[link]} (한국어)`], storefront?.links?.[link] ?? null))}`,
  );
};

const peopleCard = (page: ConsolePage, { storefront }: Look): Html => {
  const m = words(page);
  const offered = languagesOf(storefront);
  return card(
    page,
    m.languages,
    '/look/languages',
    (
      kit,
    ) => html`<fieldset><legend>${m.offered}</legend>${LANGUAGES.map((one) => kit.one({ name: 'languages', label: LANGUAGE_NAMES[one], value: one, checked: offered.includes(one) }))}</fieldset>
${kit.select({ name: 'first', label: m.first, value: offered[0], options: LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]]) })}
${kit.text({ name: 'time_zone', label: m.zone, hint: m.zoneHint, value: storefront?.time_zone ?? '', maxlength: 64 })}
${kit.text({ name: 'reply_to', label: m.replyTo, hint: m.replyHint, value: storefront?.reply_to ?? '', maxlength: 254 })}`,
  );
};

const sellerCard = (page: ConsolePage, { disclosure }: Look): Html => {
  const m = words(page);
  const stated = LOCALES.map((locale) => [locale, Object.values(disclosure?.[locale] ?? {}).join('')]);
  const locales = textLocales(page, Object.fromEntries(stated));
  return card(
    page,
    m.seller,
    '/look/seller',
    (kit) => html`<p class="hint">${m.sellerHint}</p>
${DISCLOSURE_FIELDS.map((name) => locales.map((locale) => kit.text({ name: `${locale}.${name}`, label: `${m.company[name]} (${LANGUAGE_NAMES[locale]})`, value: disclosure?.[locale][name] ?? '', maxlength: 500 })))}`,
  );
};

const termsCard = (page: ConsolePage, { storefront }: Look): Html => {
  const m = words(page);
  const { days = '', terms_url, time_zone } = storefront?.withdrawal ?? {};
  return card(
    page,
    m.terms,
    '/look/terms',
    (kit) => html`<p class="hint">${m.termsHint}</p>
${kit.text({ name: 'days', label: m.days, value: String(days), maxlength: 2 })}
${kit.text({ name: 'zone', label: m.daysZone, hint: m.zoneHint, value: time_zone ?? storefront?.time_zone ?? '', maxlength: 64 })}
${kit.text({ name: 'terms_url', label: m.termsUrl, value: terms_url ?? '', maxlength: 500 })}
${kit.text({ name: 'tax_number', label: m.taxNumber, value: storefront?.tax_number ?? '', maxlength: 60 })}`,
  );
};

const policyCard = (page: ConsolePage, { policy }: Look): Html => {
  const m = words(page);
  return card(
    page,
    m.policy,
    '/look/policy',
    (kit) => html`<p class="hint">${m.policyHint}</p>
${kit.text({ name: 'min_client_version', label: m.minVersion, value: policy.min_client_version, maxlength: 64, required: true })}
${kit.number({ name: 'ttl_days', label: m.ttlDays, value: policy.ttl_days, min: 1, max: 365, required: true })}
${kit.number({ name: 'recheck_hours', label: m.recheckHours, value: policy.recheck_hours, min: 1, max: 8760, required: true })}`,
  );
};

const lookView = (page: ConsolePage, look: Look): Html =>
  layout(page, {
    title: shellWords(page).sections.look,
    section: 'look',
    lead: words(page).lead,
    body: html`${[faceCard, logoCard, previewCard, linksCard, peopleCard, sellerCard, termsCard, policyCard].map((part) => part(page, look))}`,
  });

const NO_LOGO = refuse('validation_failed');

/** The look of the shop on its pages and in its mails, the seller's details and the rules for applications. */
export const addLookPages = (paths: ConsolePaths, account: string): void => {
  const { ask } = paths;
  const { catalogs } = paths.gate.settings.parts;
  paths.section('look', [changeStorefront]);
  addLookPreviews(paths, account);

  const answer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const { storefront } = await catalogs.current();
    const preview = previewIn(visit.query, storefront);
    const { face, kind, language } = preview;
    const { accent_dark: _, ...query } = face;
    const [disclosed, policy, mail] = await Promise.all([
      ask(visit, showShopDisclosure),
      ask(visit, showPolicy),
      ask(visit, previewMail, { query: { ...query, kind, language } }),
    ]);
    if (!disclosed.ok) return blocked(disclosed);
    if (!policy.ok) return blocked(policy);
    const disclosure = disclosed.value.disclosure as Disclosure | null;
    const look = { storefront, disclosure, policy: policy.value, preview, mail: mail.ok ? mail.value : null };
    const frames = `${policyOf({ storefront, disclosure }, "'self'")}; frame-src 'self'`;
    return { ...show((page) => lookView(page, look)), headers: { 'content-security-policy': frames } };
  };
  paths.page('/look', [changeStorefront], answer);

  const change = async (visit: MemberFormVisit, fields: Readonly<Record<string, unknown>>): Promise<ConsoleAnswer> => {
    const changed = await ask(visit, changeStorefront, { body: changes(fields) as never });
    return changed.ok ? done(visit, '/look', words(visit).saved) : refused(visit, changed, await answer(visit));
  };
  const changing = (word: string, fields: (sent: Form) => Readonly<Record<string, unknown>>): void =>
    paths.form(`/look/${word}`, {}, (visit) => change(visit, fields(visit.form)));
  const textIn = (sent: Form, name: string): string | null => sent.text(name).trim() || null;
  const faceIn = (sent: Form) => ({
    name: textIn(sent, 'name'),
    accent: textIn(sent, 'accent'),
    accent_dark: textIn(sent, 'accent_dark'),
  });

  changing('face', (sent) => ({ ...faceIn(sent), logo_has_name: sent.all('logo_has_name').includes('true') || null }));
  paths.form('/look/preview', {}, (visit) => {
    const { form: sent } = visit;
    const face = Object.fromEntries(FACE.map((name) => [name, sent.all(name).at(-1)?.trim().slice(0, 100) ?? '']));
    return { location: `${previewAt('/look', { ...previewIn(visit.query, null), face })}#preview` };
  });
  changing('links', (sent) => {
    const links = SHOP_LINKS.map((link) => [link, textsIn(sent, `links.${link}`)] as const);
    const set = links.filter(([, texts]) => texts !== null);
    return { links: set.length > 0 ? Object.fromEntries(set) : null };
  });
  changing('languages', (sent) => {
    const first = sent.text('first');
    const languages = [first, ...sent.all('languages').filter((one) => one !== first)].filter((one) => one !== '');
    return { languages, time_zone: textIn(sent, 'time_zone'), reply_to: textIn(sent, 'reply_to') };
  });
  changing('terms', (sent) => {
    const days = Number(sent.text('days'));
    const terms = { days, time_zone: sent.text('zone').trim(), terms_url: textIn(sent, 'terms_url') };
    return { withdrawal: sent.text('days').trim() === '' ? null : terms, tax_number: textIn(sent, 'tax_number') };
  });
  changing('remove-logo', (sent) => ({ [LOGO_FIELDS[sent.text('scheme') === 'dark' ? 'dark' : 'light']]: null }));

  paths.form('/look/logo', { takesFile: changeStorefront }, async (visit) => {
    const { file } = visit.form;
    const isSmall = file !== null && file.size <= MAX_LOGO_BYTES;
    const bytes = isSmall ? Buffer.concat(await Array.fromAsync(file.open())) : Buffer.alloc(0);
    const logo = logoOfFile(bytes.toString('base64'));
    const message = words(visit).logoUnfit;
    if (logo === undefined) return refused(visit, { ...NO_LOGO, code: 'shop_refused', message }, await answer(visit));
    return change(visit, { [LOGO_FIELDS[visit.form.text('scheme') === 'dark' ? 'dark' : 'light']]: logo });
  });

  paths.form('/look/seller', {}, async (visit) => {
    const company = (locale: string) =>
      Object.fromEntries(DISCLOSURE_FIELDS.map((name) => [name, visit.form.text(`${locale}.${name}`).trim()]));
    const set = await ask(visit, setDisclosure, { body: { ko: company('ko'), en: company('en') } as never });
    return set.ok ? done(visit, '/look', words(visit).saved) : refused(visit, set, await answer(visit));
  });

  paths.form('/look/policy', {}, async (visit) => {
    const set = await ask(visit, setPolicy, { body: fieldsOf(visit.form, setPolicy) });
    return set.ok ? done(visit, '/look', words(visit).saved) : refused(visit, set, await answer(visit));
  });

  paths.form('/look/test', {}, async (visit) => {
    const sent = await ask(visit, sendTestMail, { body: fieldsOf(visit.form, sendTestMail) });
    if (!sent.ok) return refused(visit, sent, await answer(visit));
    const { result, to } = sent.value;
    const m = words(visit);
    return done(visit, '/look', result === 'queued' ? m.sent(to ?? '') : m.noMail);
  });
};
