import { html } from 'hono/html';
import { LONGEST_OWN_NAME } from '../../../../application/accounts/own-data.ts';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import { type BillingDetails, LONGEST_BILLING } from '../../../../domain/accounts/billing-details.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language, languagesOf } from '../../../../domain/shared/language.ts';
import { languageNamed } from '../../shared/language.ts';
import { field, flag, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { keepFields, type OwnFormVisit, type OwnVisit } from '../guard.ts';
import { keptFields, type Paths, tooManyChangesAnswer } from '../paths.ts';
import { faultAnswer, faultOf } from '../refused.ts';
import { noticeIn } from '../routes/notices.ts';
import { backAgain, notFoundView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';
import { type EmailModel, emailForm } from './email.ts';

export type ProfileModel = {
  readonly name: string;
  readonly language: Language;
  readonly billing: BillingDetails | null;
  readonly email: EmailModel | null;
  readonly notice: Notice | null;
};

/** The owner's name, language and email address, and the export of the owner's data. */
export const profileView = (page: Page, { name, language, billing, email, notice }: ProfileModel): Html => {
  const { profile: m } = page.m;
  const options = languagesOf(page.shop.storefront).map(
    (one) => html`<option value="${one}"${flag('selected', one === language)}>${LANGUAGE_NAMES[one]}</option>`,
  );
  return layout(page, {
    title: m.title,
    section: 'profile',
    body: html`<h1>${m.title}</h1>
${noticeBox(notice)}
<section class="split" aria-labelledby="you"><div><h2 id="you">${m.you}</h2><p>${m.youText}</p></div>
<form method="post" action="/profile" class="card stack">${csrfField(page)}
${field({ name: 'name', label: m.name, value: name, autocomplete: 'name', maxlength: LONGEST_OWN_NAME })}
<div class="field"><label for="language">${m.language}</label><select id="language" name="language">${options}</select></div>
<button class="main">${m.save}</button></form></section>
<section class="split" aria-labelledby="address"><div><h2 id="address">${m.email}</h2><p>${m.emailText}</p></div>
<div class="card"><p>${page.email}</p>${email === null ? html`<p class="hint">${m.emailChange}</p>` : emailForm(page, email)}</div></section>
<section class="split" aria-labelledby="billing"><div><h2 id="billing">${m.billing}</h2><p>${m.billingText}</p></div>
<form method="post" action="/profile/billing" class="card stack">${csrfField(page)}
${field({ name: 'billed', label: m.billedName, value: billing?.name ?? '', autocomplete: 'organization', maxlength: LONGEST_BILLING.name })}
<div class="field"><label for="lines">${m.billedAddress}</label><textarea id="lines" name="lines" rows="4" maxlength="${String(LONGEST_BILLING.address)}" autocomplete="street-address">${billing?.address ?? ''}</textarea></div>
${field({ name: 'tax_number', label: page.m.orders.taxNumber, value: billing?.tax_number ?? '', maxlength: LONGEST_BILLING.tax_number })}
<button class="main">${m.saveBilling}</button></form></section>
<section class="split" aria-labelledby="data"><div><h2 id="data">${m.data}</h2><p>${m.dataText}</p></div>
<form method="post" action="/profile/data" class="card">${csrfField(page)}<p>${m.dataParts}</p>
<p><button>${m.download}</button></p></form></section>
<section class="split" aria-labelledby="erasure"><div><h2 id="erasure">${page.m.erasure.title}</h2><p>${page.m.erasure.sectionText}</p></div>
<div class="card"><p><a class="button" href="/profile/erase">${page.m.erasure.open}</a></p></div></section>`,
  });
};

const billingIn = (text: (name: string) => string): Record<'name' | 'address' | 'tax_number', string> => ({
  name: text('billed'),
  address: text('lines'),
  tax_number: text('tax_number'),
});

export const addProfilePages = (paths: Paths): void => {
  const { accounts, saveBilling, saveProfile, collectOwnData, askForEmailChange } = paths.settings.parts;

  const ask = async (visit: OwnVisit, typed = '', fault: EmailModel['fault'] = null) => {
    const { session, query } = visit;
    const [account, draft] = await Promise.all([accounts.get(session.account_id), keptFields(paths.settings, visit)]);
    const email = askForEmailChange && { typed, fault };
    const notice = noticeIn(query, {
      done: ({ profile: { saved, billingSaved }, emailChange: { asked, changed } }) => ({
        saved,
        billingSaved,
        emailAsked: asked,
        emailChanged: changed,
      }),
      faults: ({ profile: { ofMember } }) => ({ ofMember }),
    });
    const name = draft?.['name'] ?? account?.name ?? '';
    const language = languageNamed(draft?.['language'], LANGUAGES) ?? account?.locale ?? visit.language;
    const billing = draft && 'lines' in draft ? billingIn((field) => draft[field] ?? '') : (account?.billing ?? null);
    return (page: Page) =>
      profileView(page, { name, language, billing, email, notice: draft ? backAgain(page) : notice(page.m) });
  };

  paths.own('/profile', async (visit) => show(await ask(visit)));

  if (askForEmailChange) {
    // The answer is the same whether or not another account has the address.
    const askForChange = async (visit: OwnFormVisit): Promise<Answer> => {
      const { session, form, permit, language: locale, address } = visit;
      const email = form.text('email');
      const input = { session, email, address: address(), locale };
      const requested = await askForEmailChange(permit, input);
      if (requested.ok) return goTo('/profile?done=emailAsked');
      const { code } = requested;
      if (code === 'too_many_changes') return tooManyChangesAnswer(Number(requested.data?.['seconds']));
      if (code === 'account_of_member') return goTo('/profile?done=ofMember');
      if (code === 'account_not_found') return show(notFoundView, 404, '/');
      const fault = faultOf(code, requested);
      return faultAnswer(fault, await ask(visit, email.slice(0, LONGEST_EMAIL), fault), '/profile');
    };
    paths.boundedForm('/profile/email', '/profile', askForChange, { fresh: true });
  }

  const page = () => '/profile';
  const save = async ({ session, form, permit, language: current }: OwnFormVisit): Promise<Answer> => {
    const language = languageNamed(form.text('language'), LANGUAGES) ?? current;
    await saveProfile(permit, session.account_id, { name: form.text('name'), locale: language });
    return goTo('/profile?done=saved', [paths.cookies.set('language', language)]);
  };
  paths.boundedForm('/profile', '/profile', save, { keeps: keepFields(page, ['name'], ['language']) });

  const bill = async ({ session, form, permit }: OwnFormVisit): Promise<Answer> => {
    await saveBilling(
      permit,
      session.account_id,
      billingIn((name) => form.text(name)),
    );
    return goTo('/profile?done=billingSaved');
  };
  paths.boundedForm('/profile/billing', '/profile', bill, {
    keeps: keepFields(page, ['billed', 'lines', 'tax_number']),
  });

  // A form, so that a link on another site can't make the store collect all of it.
  const exportData = async ({ session }: OwnFormVisit): Promise<Answer> => {
    const data = await collectOwnData(session.account_id);
    if (data === undefined) return show(notFoundView, 404, '/profile');
    return {
      file: {
        name: `account-${session.account_id}.json`,
        type: 'application/json',
        text: JSON.stringify(data, null, 2),
      },
    };
  };
  paths.ownForm('/profile/data', '/profile', exportData, { fresh: true });
};
