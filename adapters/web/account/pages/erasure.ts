import { html } from 'hono/html';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import { field, type Html } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import type { OwnFormVisit } from '../gate.ts';
import type { Paths } from '../paths.ts';
import { messageView, notFoundView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';

/** The page that says what an erasure takes and leaves, and asks its owner to confirm it. */
export const erasureView = (page: Page, { isWrong }: { readonly isWrong: boolean }): Html => {
  const { erasure: m } = page.m;
  const list = (title: string, lines: readonly string[]): Html =>
    html`<h2>${title}</h2><ul class="points">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  return layout(page, {
    title: m.title,
    section: 'profile',
    narrow: true,
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
<p>${m.subscriptions}</p>
<p><a href="/profile#data">${m.copy}</a></p>
${list(m.goes, m.goesList)}
${list(m.stays, m.staysList)}
<form method="post" action="/profile/erase" class="stack">${csrfField(page)}
${field({ name: 'confirm', label: m.email, hint: m.emailHint, type: 'email', maxlength: LONGEST_EMAIL, required: true, error: isWrong ? m.wrongEmail : undefined, first: isWrong })}
<div class="actions"><button class="danger">${m.button}</button><a class="button" href="/profile">${m.keep}</a></div>
</form>`,
  });
};

/** The pages by which owners erase their account, and the last one that they see. */
export const addErasurePages = (paths: Paths): void => {
  const { eraseOwnAccount } = paths.settings.parts;

  paths.own('/profile/erase', () => show((page) => erasureView(page, { isWrong: false })));

  const erase = async ({ session, form, permit }: OwnFormVisit): Promise<Answer> => {
    const erased = await eraseOwnAccount(permit, session, form.text('confirm'));
    if (erased.ok) return goTo('/erased', [paths.cookies.clear('session'), paths.cookies.clear('known')]);
    if (erased.code === 'account_not_found') return show(notFoundView, 404, '/');
    return show((page) => erasureView(page, { isWrong: true }), 422);
  };
  paths.ownForm('/profile/erase', '/profile/erase', erase, { fresh: true });

  paths.open('/erased', () =>
    show((page) => messageView(page, { title: page.m.erasure.doneTitle, text: page.m.erasure.doneText, more: html`` })),
  );
};
