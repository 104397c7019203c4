import { html } from 'hono/html';
import { LONGEST_EMAIL } from '../../../../domain/sign-in/password-rules.ts';
import { field, type Html, noticeBox } from '../../shared/pieces.ts';
import { goTo, show } from '../answer.ts';
import type { Paths } from '../paths.ts';
import { minutesOf } from '../routes/waiting.ts';
import { messageView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';
import { blockedBy, type PasswordFault } from '../views/proof.ts';

export type EmailFault = Extract<PasswordFault, { readonly minutes: number }> | { readonly code: 'email_malformed' };

export type EmailModel = {
  /** The new address as it was typed; empty at first. */
  readonly typed: string;
  readonly fault: EmailFault | null;
};

/** The form by which an owner asks for a link to the new address. */
export const emailForm = (page: Page, { typed, fault }: EmailModel): Html => {
  const { emailChange: m } = page.m;
  const malformed = fault?.code === 'email_malformed' ? m.malformed : undefined;
  return html`${noticeBox(fault?.code === 'email_malformed' ? null : blockedBy(page, fault))}
<form method="post" action="/profile/email" class="stack">${csrfField(page)}
${field({ name: 'email', label: m.next, hint: m.nextHint, type: 'email', value: typed, autocomplete: 'email', maxlength: LONGEST_EMAIL, required: true, error: malformed, first: malformed !== undefined })}
<button>${m.send}</button></form>`;
};

type LinkModel = { readonly code: string; readonly email: string; readonly fault: string | null };

/** The page that a link to a new address leads to. Only its button changes the address. */
export const emailLinkView = (page: Page, { code, email, fault }: LinkModel): Html => {
  const { emailChange: m } = page.m;
  return layout(page, {
    title: m.confirmTitle,
    section: 'profile',
    narrow: true,
    body: html`<h1>${m.confirmTitle}</h1>
${noticeBox(fault === null ? null : { kind: 'fault', text: fault, first: true })}
<p class="lead">${m.confirmText(email)}</p>
<p>${m.othersEnd}</p>
<form method="post" action="/profile/email/change">${csrfField(page)}<input type="hidden" name="code" value="${code}">
<div class="actions"><button class="main">${m.change}</button><a class="button" href="/profile">${m.keep}</a></div></form>`,
  });
};

export const unusableEmailLinkView = (page: Page): Html => {
  const { emailChange: m } = page.m;
  return messageView(page, {
    title: m.unusableTitle,
    text: m.unusableText,
    more: html`<p><a class="button" href="/profile">${m.toProfile}</a></p>`,
  });
};

/** The pages that a mailed link to a new address leads to. */
export const addEmailPages = (paths: Paths): void => {
  const { changeEmail, peekEmailLink } = paths.settings.parts;

  paths.own('/profile/email', async ({ session, query }) => {
    const code = query.get('code') ?? '';
    const email = await peekEmailLink(session, code);
    if (email === undefined) return show(unusableEmailLinkView, 404, '/profile');
    return show((page) => emailLinkView(page, { code, email, fault: null }));
  });

  paths.ownForm('/profile/email/change', '/profile', async ({ session, form, permit, sent, address }) => {
    const code = form.text('code');
    const changed = await changeEmail(permit, { session, code, address: address(), known: sent.known ?? null });
    if (changed.ok) return goTo('/profile?done=emailChanged');
    const email = await peekEmailLink(session, code);
    if (changed.code === 'link_not_usable' || email === undefined) return show(unusableEmailLinkView, 404, '/profile');
    const fault = (page: Page): string => page.m.errors.tooManyAttempts(minutesOf(changed));
    const here = `/profile/email?code=${encodeURIComponent(code)}`;
    return show((page) => emailLinkView(page, { code, email, fault: fault(page) }), 429, here);
  });
};
