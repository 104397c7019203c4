import { html } from 'hono/html';
import { LOOPBACK } from '../../../../domain/shared/loopback.ts';
import type { ConnectedApp } from '../../../../domain/sign-in/oauth-grant.ts';
import { day } from '../../shared/dates.ts';
import { emptyBox, facts, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { SCRIPT_PATH } from '../assets/assets.ts';
import { agentWays } from './agent.ts';
import { confirmation } from './confirmation.ts';
import { layout, type Page } from './page.ts';

export type AppsModel = {
  readonly apps: readonly ConnectedApp[];
  /** The URL of the account's MCP server. */
  readonly mcp: string;
  readonly notice: Notice | null;
};

/** The ways to let an application in: the commands for an agent, and the code that a device shows. */
const waysIn = (page: Page, mcp: string): Html => {
  const { apps: m } = page.m;
  return html`<section class="card" aria-labelledby="connect"><h2 id="connect">${m.connect}</h2><p>${m.connectText}</p>${agentWays(page, mcp)}</section>
<section class="card" aria-labelledby="code"><h2 id="code">${m.code}</h2><p>${m.codeText}</p><p><a class="button" href="/device">${m.enterCode}</a></p></section>`;
};

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
export const appsView = (page: Page, { apps, mcp, notice }: AppsModel): Html => {
  const { apps: m } = page.m;
  return layout(page, {
    title: m.title,
    section: 'apps',
    script: SCRIPT_PATH,
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${noticeBox(notice)}
${apps.length === 0 ? emptyBox(m.none, m.noneText) : html`<ul class="cards">${apps.map((app) => appCard(page, app))}</ul>`}
${waysIn(page, mcp)}`,
  });
};
