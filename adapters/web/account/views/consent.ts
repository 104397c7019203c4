import { html } from 'hono/html';
import type { Ability } from '../../../../domain/access/abilities.ts';
import type { ConsentRequest } from '../../../../domain/sign-in/oauth-grant.ts';
import { checkbox, facts, type Html } from '../../shared/pieces.ts';
import { messageView } from './messages.ts';
import { csrfField, layout, type Page } from './page.ts';

/** Without this permission a sign-in is useless, so it can't be deselected. */
export const REQUIRED_PERMISSION: Ability = 'mcp.read';

const requiredFirst = (permissions: readonly Ability[]): Ability[] =>
  permissions.toSorted((a, b) => Number(b === REQUIRED_PERMISSION) - Number(a === REQUIRED_PERMISSION));

/** Asks whether to authorize an application. Its name is self-declared, so it is never shown as a fact. */
export const consentView = (page: Page, request: ConsentRequest): Html => {
  const { consent: m, abilities } = page.m;
  const { uid, client, redirect_host, redirects_to_this_machine: here, permissions } = request;
  // The name is the client's own choice, but only this machine or the host can receive the answer.
  const title = here ? m.asksHere : m.asksFrom(redirect_host);
  return layout(page, {
    title,
    narrow: true,
    body: html`<h1>${title}</h1>
${facts([
  [m.app, html`${client.name}<small>${m.claimed}</small>`],
  [m.described, client.is_metadata_document ? (URL.parse(client.id)?.host ?? null) : null],
  [m.site, client.uri],
  [m.returns, here ? html`${redirect_host}<small>${m.thisMachine}</small>` : html`<strong>${redirect_host}</strong>`],
  [m.account, page.email],
])}
${here ? html`<p class="warning">${m.thisMachineText}</p>` : ''}
<form method="post" action="/interaction/${uid}" class="stack">${csrfField(page)}
<fieldset><legend>${m.permissions}</legend>${requiredFirst(permissions).map((permission) => {
      const fixed = permission === REQUIRED_PERMISSION;
      const choice = { name: 'permission', value: permission, label: abilities[permission], checked: true };
      return checkbox(fixed ? { ...choice, fixed, note: m.required } : choice);
    })}</fieldset>
<p class="hint">${m.notice}</p>
<div class="actions"><button class="main" name="decision" value="allow">${m.allow}</button><button name="decision" value="deny">${m.deny}</button></div>
</form>
<form method="post" action="/sign-out" class="aside">${csrfField(page)}<input type="hidden" name="next" value="/interaction/${uid}">
<span>${m.notYou}</span> <button class="plain">${m.switchAccount}</button></form>`,
  });
};

/** The page for a request that has ended, or that another browser started. */
export const endedConsentView = (page: Page): Html =>
  messageView(page, { title: page.m.consent.endedTitle, text: page.m.consent.endedText });

/**
 * The page that continues to the application automatically. An HTTP redirect would count as the form's target, which
 * Chromium blocks unless `form-action` lists the application's URL (CSP, section 6.3.1).
 */
export const leavingView = (page: Page, url: string): Html => {
  const { consent: m } = page.m;
  return layout(page, {
    title: m.leavingTitle,
    narrow: true,
    goesTo: url,
    body: html`<h1>${m.leavingTitle}</h1>
<p class="lead">${m.leavingText}</p>
<p><a class="button" href="${url}">${m.leave}</a></p>`,
  });
};
