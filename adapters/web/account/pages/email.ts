import { html } from 'hono/html';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import { field, type Html, noticeBox } from '../../shared/pieces.ts';
import { goTo, show } from '../answer.ts';
import type { Paths } from '../paths.ts';
import { type Fault, faultAnswer, faultOf, faultText } from '../refused.ts';
import { messageView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';
import { blockedBy } from '../views/proof.ts';

export type EmailModel = {
  /** The new address as typed; initially empty. */
  readonly typed: string;
  readonly fault: Fault<'email_malformed' | 'too_many_attempts'> | null;
};

/** The form with which an owner requests a link to the new address. */
export const emailForm = (page: Page, { typed, fault }: EmailModel): Html => {
  const { emailChange: m } = page.m;
  const malformed = fault?.code === 'email_malformed' ? m.malformed : undefined;
  return html`${noticeBox(blockedBy(page, fault))}
<form method="post" action="/profile/email" class="stack">${csrfField(page)}
${field({ name: 'email', label: m.next, hint: m.nextHint, type: 'email', value: typed, autocomplete: 'email', maxlength: LONGEST_EMAIL, required: true, error: malformed, first: malformed !== undefined })}
<button>${m.send}</button></form>`;
};

type LinkModel = { readonly code: string; readonly email: string; readonly fault: string | null };

/** The page behind a link to a new address. Only its button changes the address. */
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

/**
 * The page behind a link to the former address. Only its button undoes the change, because mail scanners open links.
 */
export const undoView = (page: Page, { code, email, fault }: LinkModel): Html => {
  const { emailUndo: m } = page.m;
  return layout(page, {
    title: m.title,
    narrow: true,
    body: html`<h1>${m.title}</h1>
${noticeBox(fault === null ? null : { kind: 'fault', text: fault, first: true })}
<p class="lead">${m.text(email)}</p>
<p>${m.ends}</p>
<form method="post" action="/undo-email" class="stack">${csrfField(page)}<input type="hidden" name="code" value="${code}">
<button class="main wide">${m.button}</button></form>`,
  });
};

/** The pages behind the mailed links to a new and to a former address. */
export const addEmailPages = (paths: Paths): void => {
  const { changeEmail, peekEmailLink, peekUndo, undoEmailChange } = paths.settings.parts;

  const unusable = show(
    (page) => messageView(page, { title: page.m.link.unusable, text: page.m.emailUndo.unusableText }),
    404,
    '/',
  );

  paths.open('/undo-email', async ({ query }) => {
    const code = query.get('code') ?? '';
    const email = await peekUndo(code);
    return email === undefined ? unusable : show((page) => undoView(page, { code, email, fault: null }));
  });

  paths.openForm('/undo-email', async (visit) => {
    const code = visit.form.text('code');
    const email = (await peekUndo(code)) ?? '';
    const permit = paths.guard.signInPermit(visit, '/undo-email');
    const done = await undoEmailChange(permit, { code, address: visit.address() });
    if (done.ok) {
      const { session, known } = { session: paths.cookies.clear('session'), known: paths.cookies.clear('known') };
      const more = (page: Page): Html =>
        html`<p><a class="button main" href="/sign-in/mail">${page.m.mailed.offer}</a></p>`;
      const said = ({ m }: Page) => ({ title: m.emailUndo.doneTitle, text: m.emailUndo.doneText(email) });
      return {
        ...show((page) => messageView(page, { ...said(page), more: more(page) }), 200, '/'),
        cookies: [session, known],
      };
    }
    if (done.code === 'link_not_usable') return unusable;
    const fault = faultOf(done.code, done);
    return faultAnswer(
      fault,
      (page) => undoView(page, { code, email, fault: faultText(page.m, fault) }),
      `/undo-email?code=${encodeURIComponent(code)}`,
    );
  });

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
    const fault = faultOf('too_many_attempts', changed);
    const here = `/profile/email?code=${encodeURIComponent(code)}`;
    return faultAnswer(fault, (page) => emailLinkView(page, { code, email, fault: faultText(page.m, fault) }), here);
  });
};
