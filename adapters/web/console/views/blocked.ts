import { html } from 'hono/html';
import type { RefusalCode } from '../../../../ports/inbound/refusals.ts';
import type { Html } from '../../shared/pieces.ts';
import { shellWords } from '../messages/shell.ts';
import type { ConsolePage } from '../page.ts';
import { layout } from './layout.ts';

/** A sentence of the API, which is in English. */
export const apiText = (text: string): Html => html`<span lang="en">${text}</span>`;

/** The page in place of one whose call was refused. */
export const blockedView = (page: ConsolePage, code: RefusalCode, message?: string): Html => {
  const words = shellWords(page);
  const [title, lead] =
    code === 'missing_api_key_ability'
      ? [words.closedTitle, words.closedText]
      : code === 'shop_not_found' || code === 'not_found'
        ? [words.missingTitle, words.missingText]
        : [words.failedTitle, code === 'rate_limited' ? words.tooMany : message ? apiText(message) : words.failed];
  return layout(page, { title, lead, body: html`<p><a class="button" href="/">${words.home}</a></p>` });
};
