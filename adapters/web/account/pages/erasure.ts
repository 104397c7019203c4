import { html } from 'hono/html';
import { confirmsByPassword } from '../../../../application/sign-in/own-account.ts';
import { LONGEST_PASSWORD } from '../../../../domain/sign-in/password-rules.ts';
import { field, type Html, noticeBox } from '../../shared/pieces.ts';
import { goTo, show } from '../answer.ts';
import type { OwnVisit } from '../gate.ts';
import type { Paths } from '../paths.ts';
import { minutesOf, retryAfter } from '../routes/waiting.ts';
import { messageView, notFoundView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';
import { blockedBy, type PasswordFault, STATUS } from './security.ts';

type ErasureModel = {
  /** True where the password confirms the erasure; otherwise the e-mail address, typed out. */
  readonly by_password: boolean;
  readonly fault: PasswordFault | null;
};

/** The page that says what an erasure takes and leaves, and asks its owner to confirm it. */
export const erasureView = (page: Page, { by_password, fault }: ErasureModel): Html => {
  const { erasure: m } = page.m;
  const isWrong = fault?.code === 'wrong_credentials';
  const list = (title: string, lines: readonly string[]): Html =>
    html`<h2>${title}</h2><ul class="points">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  const confirm = by_password
    ? html`<input type="text" name="username" value="${page.email ?? ''}" autocomplete="username" hidden readonly>
${field({ name: 'confirm', label: m.password, type: 'password', autocomplete: 'current-password', maxlength: LONGEST_PASSWORD, required: true, error: isWrong ? m.wrongPassword : undefined, first: isWrong })}`
    : field({
        name: 'confirm',
        label: m.email,
        hint: m.emailHint,
        type: 'email',
        maxlength: LONGEST_PASSWORD,
        required: true,
        error: isWrong ? m.wrongEmail : undefined,
        first: isWrong,
      });
  return layout(page, {
    title: m.title,
    section: 'profile',
    narrow: true,
    body: html`<h1>${m.title}</h1>
${noticeBox(blockedBy(page, fault))}
<p class="lead">${m.lead}</p>
<p>${m.subscriptions}</p>
<p><a href="/profile#data">${m.copy}</a></p>
${list(m.goes, m.goesList)}
${list(m.stays, m.staysList)}
<form method="post" action="/profile/erase" class="stack">${csrfField(page)}
${confirm}
<div class="actions"><button class="danger">${m.button}</button><a class="button" href="/profile">${m.keep}</a></div>
</form>`,
  });
};

/** The pages by which owners erase their account, and the last one that they see. */
export const addErasurePages = (paths: Paths): void => {
  const { accounts, eraseOwnAccount, signInMethods } = paths.settings.parts;

  const ask = async ({ session }: OwnVisit, fault: PasswordFault | null = null) => {
    const account = await accounts.get(session.account_id);
    const by_password = account !== undefined && confirmsByPassword(account, signInMethods);
    return (page: Page) => erasureView(page, { by_password, fault });
  };

  paths.own('/profile/erase', async (visit) => show(await ask(visit)));

  paths.ownForm('/profile/erase', '/profile/erase', async (visit) => {
    const { session, form, permit } = visit;
    const erased = await eraseOwnAccount(permit, session, form.text('confirm'));
    if (erased.ok) return goTo('/erased', [paths.cookies.clear('session'), paths.cookies.clear('known')]);
    const { code } = erased;
    if (code === 'account_not_found') return show(notFoundView, 404, '/');
    const view = await ask(visit, code === 'too_many_attempts' ? { code, minutes: minutesOf(erased) } : { code });
    const again = show(view, STATUS[code]);
    return code === 'busy' ? { ...again, headers: retryAfter(erased) } : again;
  });

  paths.open('/erased', () =>
    show((page) => messageView(page, { title: page.m.erasure.doneTitle, text: page.m.erasure.doneText, more: html`` })),
  );
};
