import { html } from 'hono/html';
import type { Html } from '../../shared/pieces.ts';
import { copied } from './copied.ts';
import { type Page, shopName } from './page.ts';

/** The longest name that an agent gets for the account. */
const LONGEST_NAME = 40;

/** The name of the account's MCP server in an agent: the shop's, in letters that every shell takes as they are. */
export const serverName = (page: Pick<Page, 'shop'>): string => {
  const plain = (shopName(page) ?? '').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const name = plain.replaceAll(/[^a-z0-9]+/g, '-').slice(0, LONGEST_NAME);
  return name.replaceAll(/^-|-$/g, '') || 'account';
};

/** The commands that add the account to an agent, and the address for any other. */
export const agentWays = (page: Page, mcp: string): Html => {
  const { library: m } = page.m;
  const name = serverName(page);
  const commands = [
    ['Claude Code', `claude mcp add --transport http ${name} ${mcp}`],
    ['Codex', `codex mcp add ${name} --url ${mcp}`],
  ] as const;
  return html`${commands.map(([agent, command], n) => html`<div><h3>${agent}</h3>${copied(page, `mcp-${n}`, m.agentCommand(agent), command)}</div>`)}
<p class="hint">${m.agentOther} <code>${mcp}</code> · <a href="/keys?use=agent#create">${m.agentKey}</a></p>`;
};
