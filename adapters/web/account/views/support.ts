import { html } from 'hono/html';
import type { OwnTicket } from '../../../../application/support/tickets.ts';
import { day } from '../../shared/dates.ts';
import { emptyBox, facts, type Html } from '../../shared/pieces.ts';
import { layout, type Page } from './page.ts';

const ticketCard = (page: Page, ticket: OwnTicket): Html => {
  const { support: m } = page.m;
  const { id, kind, status, summary, created_at, answers } = ticket;
  const given = answers.map(
    ({ answered_at, text }) => html`<h3>${m.answer}, ${day(page, answered_at)}</h3>
<p class="answer">${text}</p>`,
  );
  return html`<li class="card">
<div class="head"><h2>${summary}</h2><span class="badge ${status === 'open' ? 'good' : 'past'}">${m[status]}</span></div>
<p class="kind">${m.kind[kind]}</p>
${facts([
  [m.number, String(id)],
  [m.reported, day(page, created_at)],
])}
${given.length === 0 ? html`<p class="about">${m.unanswered}</p>` : given}
</li>`;
};

/** The newest tickets of an account, with their states and answers. */
export const supportView = (page: Page, tickets: readonly OwnTicket[]): Html => {
  const { support: m } = page.m;
  return layout(page, {
    title: m.title,
    section: 'support',
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${tickets.length === 0 ? emptyBox(m.none, m.noneText) : html`<ul class="cards">${tickets.map((ticket) => ticketCard(page, ticket))}</ul>`}`,
  });
};
