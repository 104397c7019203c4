import { html } from 'hono/html';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import { LONGEST_PASSWORD } from '../../../../domain/sign-in/password-rules.ts';
import type { SignInMethods } from '../../../../domain/sign-in/session.ts';
import { field, type Html, noticeBox } from '../../shared/pieces.ts';
import { PASSKEY_SCRIPT_PATH } from '../assets/assets.ts';
import { passkeyButton } from '../pages/passkeys.ts';
import { messageView } from './messages.ts';
import { csrfField, layout, type Page } from './page.ts';

export type SignInModel = {
  /** The own path to go on to. */
  readonly next: string;
  readonly email: string;
  readonly fault: string | null;
  readonly methods: SignInMethods;
  /** True if browsers give this host passkeys. */
  readonly passkeys: boolean;
  /** True if a link can be asked for by mail. */
  readonly mails: boolean;
};

const mailAt = (next: string): string =>
  next === '/' ? '/sign-in/mail' : `/sign-in/mail?next=${encodeURIComponent(next)}`;

/** The form to sign in by password, and the way to the upstream provider where there is one. */
export const signInView = (page: Page, { next, email, fault, methods, mails, passkeys }: SignInModel): Html => {
  const { m } = page;
  const onward = encodeURIComponent(next);
  return layout(page, {
    title: m.signIn.title,
    narrow: true,
    ...(passkeys && { script: PASSKEY_SCRIPT_PATH }),
    body: html`<h1>${m.signIn.title}</h1>
<p class="lead">${m.signIn.lead}</p>
${noticeBox(fault === null ? null : { kind: 'fault', text: fault })}
${methods.upstream === null ? '' : html`<p><a class="button wide" href="/sign-in/upstream?next=${onward}">${m.signIn.upstream(methods.upstream.name)}</a></p>`}
${methods.upstream !== null && methods.password ? html`<p class="or"><span>${m.signIn.or}</span></p>` : ''}
${methods.password ? passwordForm(page, next, email, mails) : ''}
${passkeys ? passkeyButton(page, next) : ''}
${mails ? html`<p><a class="button wide" href="${mailAt(next)}">${m.mailed.offer}</a></p>` : methods.password || methods.upstream === null ? html`<p class="hint">${methods.password ? m.signIn.noPassword : m.signIn.byLink}</p>` : ''}`,
  });
};

const passwordForm = (page: Page, next: string, email: string, mails: boolean): Html => {
  const { m } = page;
  return html`<form method="post" action="/sign-in" class="stack">${csrfField(page)}<input type="hidden" name="next" value="${next}">
${field({ name: 'email', label: m.signIn.email, type: 'email', value: email, autocomplete: 'username', maxlength: LONGEST_EMAIL, required: true, first: email === '' })}
${field({ name: 'password', label: m.signIn.password, type: 'password', autocomplete: 'current-password', maxlength: LONGEST_PASSWORD, required: true, first: email !== '' })}
${mails ? html`<p class="forgot"><a href="${mailAt(next)}">${m.signIn.forgot}</a></p>` : ''}
<button class="main wide">${m.signIn.submit}</button>
</form>`;
};

/** The form that asks for a sign-in link by mail. */
export const askView = (page: Page, { next, fault }: Pick<SignInModel, 'next' | 'fault'>): Html => {
  const { m } = page;
  return layout(page, {
    title: m.mailed.offer,
    narrow: true,
    body: html`<h1>${m.mailed.offer}</h1>
<p class="lead">${m.mailed.lead}</p>
${noticeBox(fault === null ? null : { kind: 'fault', text: fault })}
<form method="post" action="/sign-in/mail" class="stack">${csrfField(page)}<input type="hidden" name="next" value="${next}">
${field({ name: 'email', label: m.signIn.email, type: 'email', autocomplete: 'username', maxlength: LONGEST_EMAIL, required: true, first: true })}
<button class="main wide">${m.mailed.submit}</button></form>`,
  });
};

export const askedView = (page: Page): Html =>
  messageView(page, {
    title: page.m.mailed.sent,
    text: page.m.mailed.sentText,
    more: html`<p><a class="button" href="/sign-in">${page.m.link.toSignIn}</a></p>`,
  });

/** A one-time link, before it is used. Only the button uses it, because scanners of mail open links. */
export const linkView = (page: Page, { code, fault }: { code: string; fault: string | null }): Html => {
  const { m } = page;
  return layout(page, {
    title: m.link.title,
    narrow: true,
    body: html`<h1>${m.link.title}</h1>
<p class="lead">${m.link.lead}</p>
${noticeBox(fault === null ? null : { kind: 'fault', text: fault, first: true })}
<form method="post" action="/sign-in/link" class="stack">${csrfField(page)}<input type="hidden" name="code" value="${code}">
<button class="main wide">${m.link.submit}</button></form>`,
  });
};

export const unusableLinkView = (page: Page): Html =>
  messageView(page, {
    title: page.m.link.unusable,
    text: page.m.link.unusableText,
    more: html`<p><a class="button" href="/sign-in">${page.m.link.toSignIn}</a></p>`,
  });
