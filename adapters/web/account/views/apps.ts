import { html } from 'hono/html';
import { LOOPBACK } from '../../../../domain/shared/loopback.ts';
import type { ConnectedApp } from '../../../../domain/sign-in/oauth-grant.ts';
import { day } from '../../shared/dates.ts';
import { emptyBox, facts, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { confirmation } from './confirmation.ts';
import { layout, type Page } from './page.ts';

export type AppsModel = { readonly apps: readonly ConnectedApp[]; readonly notice: Notice | null };

const appCard = (page: Page, app: ConnectedApp): Html => {
  const { apps: m, abilities } = page.m;
  return html`<li class="card">
<div class="head"><h2>${app.client_name}</h2></div>
${facts([
  [m.host, LOOPBACK.has(app.redirect_host) ? m.thisMachine : app.redirect_host],
  [m.connected, day(page, app.created_at)],
  [m.lastUsed, day(page, app.last_used_at)],
])}
<div><h3>${m.permissions}</h3><ul class="points">${app.permissions.map((one) => html`<li>${abilities[one]}</li>`)}</ul></div>
${confirmation(page, {
  label: m.disconnect,
  about: app.client_name,
  question: m.confirm(app.client_name),
  button: m.confirmButton,
  action: '/apps/disconnect',
  fields: { app: app.grant_id },
})}</li>`;
};

/** The applications that the owner has authorized. */
export const appsView = (page: Page, { apps, notice }: AppsModel): Html => {
  const { apps: m } = page.m;
  return layout(page, {
    title: m.title,
    section: 'apps',
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${noticeBox(notice)}
${apps.length === 0 ? emptyBox(m.none, m.noneText) : html`<ul class="cards">${apps.map((app) => appCard(page, app))}</ul>`}`,
  });
};
