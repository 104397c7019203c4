import { html } from 'hono/html';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import { LONGEST_PASSWORD } from '../../../../domain/sign-in/password-rules.ts';
import type { SignInMethods } from '../../../../domain/sign-in/session.ts';
import { field, type Html, noticeBox } from '../../shared/pieces.ts';
import { PASSKEY_SCRIPT_PATH } from '../assets/assets.ts';
import { messageView } from './messages.ts';
import { csrfField, layout, type Page, signInAt } from './page.ts';

export type SignInModel = {
  readonly next: string;
  readonly email: string;
  readonly fault: string | null;
  readonly methods: SignInMethods;
  /** True if browsers give this host passkeys. */
  readonly passkeys: boolean;
  /** True if a link can be requested by mail. */
  readonly mails: boolean;
  /** A text that the visitor typed, to copy; absent for none. */
  readonly text?: string | undefined;
};

/** The passkey button of the sign-in page. It is visible if the browser supports passkeys. */
const passkeyButton = (page: Page, next: string): Html =>
  html`<form method="post" action="/sign-in/passkey" data-passkeys hidden>${csrfField(page)}<input type="hidden" name="next" value="${next}">
<button class="wide">${page.m.passkeys.signIn}</button></form>`;

/** The form to sign in by password, and the link to the upstream provider, if there is one. */
export const signInView = (page: Page, { next, email, fault, methods, mails, passkeys, text }: SignInModel): Html => {
  const { m } = page;
  const onward = encodeURIComponent(next);
  return layout(page, {
    title: m.signIn.title,
    narrow: true,
    ...(passkeys && { script: PASSKEY_SCRIPT_PATH }),
    body: html`<h1>${m.signIn.title}</h1>
<p class="lead">${page.site.words?.[page.locale].signIn ?? m.signIn.lead}</p>
${noticeBox(fault === null ? null : { kind: 'fault', text: fault })}
${text === undefined ? '' : html`<div class="field"><label for="text">${m.draft.text}</label><textarea id="text" rows="6" readonly>${text}</textarea></div>`}
${methods.upstream === null ? '' : html`<p><a class="button wide" href="/sign-in/upstream?next=${onward}">${m.signIn.upstream(methods.upstream.name)}</a></p>`}
${methods.upstream !== null && methods.password ? html`<p class="or"><span>${m.signIn.or}</span></p>` : ''}
${methods.password ? passwordForm(page, next, email) : ''}
${methods.password && mails ? html`<p class="or"><span>${m.signIn.or}</span></p>` : ''}
${passkeys ? passkeyButton(page, next) : ''}
${mails ? (methods.password ? mailButton(page) : askForm(page, { next, email, first: methods.upstream === null })) : methods.password || methods.upstream === null ? html`<p class="hint">${methods.password ? m.signIn.noPassword : m.signIn.byLink}</p>` : ''}`,
  });
};

/** Requests a link to the address in the password form, so that nobody types it twice. */
const mailButton = ({ m }: Page): Html =>
  html`<p class="hint">${m.signIn.forgot}</p><p><button class="wide" form="password-form" formaction="/sign-in/mail" formnovalidate>${m.mailed.offer}</button></p>`;

const passwordForm = (page: Page, next: string, email: string): Html => {
  const { m } = page;
  return html`<form method="post" action="/sign-in" class="stack" id="password-form">${csrfField(page)}<input type="hidden" name="next" value="${next}">
${field({ name: 'email', label: m.signIn.email, type: 'email', value: email, autocomplete: 'username', maxlength: LONGEST_EMAIL, required: true, first: email === '' })}
${field({ name: 'password', label: m.signIn.password, type: 'password', autocomplete: 'current-password', maxlength: LONGEST_PASSWORD, required: true, first: email !== '' })}
<button class="main wide">${m.signIn.submit}</button>
</form>`;
};

type Ask = Pick<SignInModel, 'next' | 'email'>;

const askForm = (page: Page, { next, email, first }: Ask & { readonly first: boolean }): Html =>
  html`<form method="post" action="/sign-in/mail" class="stack">${csrfField(page)}<input type="hidden" name="next" value="${next}">
${field({ name: 'email', label: page.m.signIn.email, type: 'email', value: email, autocomplete: 'username', maxlength: LONGEST_EMAIL, required: true, first })}
<button class="main wide">${page.m.mailed.submit}</button></form>`;

/** The form that asks for a sign-in link by mail. */
export const askView = (page: Page, { next, email, fault }: Ask & Pick<SignInModel, 'fault'>): Html => {
  const { m } = page;
  return layout(page, {
    title: m.mailed.offer,
    narrow: true,
    body: html`<h1>${m.mailed.offer}</h1>
<p class="lead">${m.mailed.lead}</p>
${noticeBox(fault === null ? null : { kind: 'fault', text: fault })}
${askForm(page, { next, email, first: true })}`,
  });
};

/** The answer to a request for a link; `email` is the address as typed. */
export const askedView = (page: Page, { next, email }: Ask): Html =>
  messageView(page, {
    title: page.m.mailed.sent,
    text: page.m.mailed.sentText,
    more: html`${email === '' ? '' : html`<p>${page.m.mailed.sentTo} <strong>${email}</strong></p>`}
<p><a class="button" href="${signInAt(next)}">${page.m.link.toSignIn}</a></p>`,
  });

export type LinkModel = {
  readonly code: string;
  readonly next: string;
  /** The email address of the account that the link signs in to; null if the visitor must not learn it. */
  readonly email: string | null;
  /** True on a phone or tablet, for which a download is rarely meant. */
  readonly isMobile: boolean;
  readonly fault: string | null;
};

/** True for a path that starts a download. */
const isDownload = (next: string): boolean => /^\/library\/\d+\?download=1$/.test(next);

/** A one-time link before it is used. Only the button uses it, because mail scanners open links. */
export const linkView = (page: Page, { code, next, email, isMobile, fault }: LinkModel): Html => {
  const { m } = page;
  const downloads = isDownload(next);
  return layout(page, {
    title: m.link.title,
    narrow: true,
    body: html`<h1>${m.link.title}</h1>
<p class="lead">${m.link.lead}</p>
${email === null ? '' : html`<p>${m.link.account} <strong>${email}</strong></p>`}
${downloads && isMobile ? html`<p class="hint">${m.link.onComputer}</p>` : ''}
${noticeBox(fault === null ? null : { kind: 'fault', text: fault, first: true })}
<form method="post" action="/sign-in/link" class="stack">${csrfField(page)}<input type="hidden" name="code" value="${code}"><input type="hidden" name="next" value="${next}">
<button class="main wide">${downloads && !isMobile ? m.link.download : m.link.submit}</button></form>`,
  });
};
