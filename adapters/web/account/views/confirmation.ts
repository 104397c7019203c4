import { html } from 'hono/html';
import { type Html, unseen } from '../../shared/pieces.ts';
import { csrfField, type Page } from './page.ts';

type Confirmation = {
  readonly label: string;
  /** The subject of the label, for people who can't see its context. */
  readonly about?: string;
  readonly question: string;
  readonly button: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** The hidden fields of a form: the page's token and `fields`. */
export const hiddenFields = (page: Page, fields: Readonly<Record<string, string>>): Html =>
  html`${csrfField(page)}${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;

/** An action that asks for confirmation first. It works without a script: the question is in a `details` element. */
export const confirmation = (page: Page, { label, about, question, button, action, fields }: Confirmation): Html =>
  html`<details class="confirm"><summary>${label}${about === undefined ? '' : unseen(about)}</summary>
<form method="post" action="${action}">${hiddenFields(page, fields)}<p>${question}</p><button class="danger">${button}</button></form></details>`;
