import { html } from 'hono/html';
import { LONGEST_MEMBER_NAME } from '../../../../domain/access/member.ts';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import { type Answer, show } from '../../account/answer.ts';
import type { Paths } from '../../account/paths.ts';
import { senderOf, signedIn } from '../../account/routes/signed-in.ts';
import { messageView } from '../../account/views/messages.ts';
import { csrfField, layout, type Page } from '../../account/views/page.ts';
import { field, type Html, noticeBox } from '../../shared/pieces.ts';
import { setup as en } from '../messages/en/setup.ts';
import { setup as ko } from '../messages/ko/setup.ts';
import { inBoth } from '../page.ts';
import type { ConsoleSettings } from '../parts.ts';

const words = inBoth({ en, ko });

type Typed = { readonly code: string; readonly email: string; readonly name: string };

const setupView = (page: Page, { code, email, name }: Typed, fault: keyof typeof en.refused | null): Html => {
  const m = words(page);
  return layout(page, {
    title: m.title,
    narrow: true,
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${noticeBox(fault === null ? null : { kind: 'fault', text: m.refused[fault], first: true })}
<form method="post" action="/setup" class="stack">${csrfField(page)}<input type="hidden" name="code" value="${code}">
${field({ name: 'email', label: m.email, type: 'email', value: email, autocomplete: 'email', maxlength: LONGEST_EMAIL, required: true, first: fault === null })}
${field({ name: 'name', label: m.name, hint: m.nameHint, value: name, autocomplete: 'name', maxlength: LONGEST_MEMBER_NAME, required: true })}
<button class="main wide">${m.go}</button></form>`,
  });
};

const ENDED = show(
  (page) => {
    const { unusableTitle: title, unusable: text, signIn } = words(page);
    return messageView(page, { title, text, more: html`<p><a class="button" href="/sign-in">${signIn}</a></p>` });
  },
  404,
  '/',
);

/** The page behind the link in the welcome text, which makes the operator the first member of the shop. */
export const addSetupPages = (paths: Paths<ConsoleSettings>): void => {
  const { parts, site } = paths.settings;

  paths.open('/setup', async ({ query }) => {
    const code = query.get('code') ?? '';
    if (!(await parts.peekSetup(code))) return ENDED;
    return show((page) => setupView(page, { code, email: '', name: '' }, null));
  });

  paths.openForm('/setup', async (visit): Promise<Answer> => {
    const typed = { code: visit.form.text('code'), email: visit.form.text('email'), name: visit.form.text('name') };
    const permit = paths.guard.signInPermit(visit, '/setup');
    const opened = await parts.useSetup(permit, typed.code, typed, senderOf(visit, site));
    if (opened.ok) return signedIn(paths, visit, opened.value, '/');
    const { code } = opened;
    const here = `/setup?${new URLSearchParams({ code: typed.code })}`;
    return show((page) => setupView(page, typed, code), code === 'too_many_attempts' ? 429 : 422, here);
  });
};
