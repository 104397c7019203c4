import { html } from 'hono/html';
import type { Refused } from '../../../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../../../ports/inbound/refusals.ts';
import type { Html } from '../../shared/pieces.ts';
import { refusals as ko } from '../messages/ko/refusals.ts';
import { shellWords } from '../messages/shell.ts';
import type { ConsolePage } from '../page.ts';
import { layout } from './layout.ts';

/** A sentence of the API, which is in English. */
export const apiText = (text: string): Html => html`<span lang="en">${text}</span>`;

/** Why a call was refused: by its code in the language of the page, otherwise in the words of the API. */
export const refusalText = ({ locale }: ConsolePage, { code, message, data }: Refused): Html | string | undefined => {
  const reason = String(data?.['reason'] ?? code);
  return (locale === 'ko' ? ko[reason] : undefined) ?? (message === undefined ? undefined : apiText(message));
};

/** The page in place of one whose call was refused. */
export const blockedView = (page: ConsolePage, refusal: Refused<RefusalCode>): Html => {
  const { code } = refusal;
  const words = shellWords(page);
  const [title, lead] =
    code === 'missing_api_key_ability'
      ? [words.closedTitle, words.closedText]
      : code === 'shop_not_found' || code === 'not_found'
        ? [words.missingTitle, words.missingText]
        : [words.failedTitle, code === 'rate_limited' ? words.tooMany : (refusalText(page, refusal) ?? words.failed)];
  return layout(page, { title, lead, body: html`<p><a class="button" href="/">${words.home}</a></p>` });
};
