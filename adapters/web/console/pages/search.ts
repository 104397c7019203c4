import { html } from 'hono/html';
import { FOUND_KINDS } from '../../../../domain/sales/found.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { searchShop } from '../../../../ports/inbound/shop/search.ts';
import { goTo } from '../../account/answer.ts';
import { search as en } from '../messages/en/search.ts';
import { search as ko } from '../messages/ko/search.ts';
import { inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths } from '../paths.ts';
import { layout } from '../views/layout.ts';
import { list } from '../views/pieces.ts';

const words = inBoth({ en, ko });

type Found = AnswerIn<typeof searchShop>['found'][number];

const path = (...parts: readonly (string | number | null)[]): string =>
  parts.map((part) => `/${encodeURIComponent(part ?? '')}`).join('');

/** The page of a found record. */
const PAGES: Readonly<Record<Found['kind'], (found: Found) => string>> = {
  account: ({ id }) => path('customers', id),
  order: ({ id }) => `/orders/id:${id}`,
  subscription: ({ account_id }) => path('customers', account_id),
  // A key that nobody has used yet is only in its batch.
  key: ({ id, account_id }) => (account_id === null ? '/keys' : path('customers', account_id, 'keys', id)),
  device: ({ account_id }) => path('customers', account_id),
  ticket: ({ id }) => path('tickets', id),
  event: ({ id, provider }) => path('events', provider, id),
  product: ({ id }) => path('products', id),
};

/** Everything that has the text. The only match opens at once. */
export const addSearchPages = (paths: ConsolePaths): void => {
  paths.section('search', [searchShop]);

  paths.page('/search', [searchShop], async (visit) => {
    const text = (visit.query.get('q') ?? '').trim();
    const answer = text === '' ? null : await paths.ask(visit, searchShop, { body: { text } });
    if (answer && !answer.ok && answer.code !== 'validation_failed') return blocked(answer);
    const found = answer?.ok ? answer.value.found : [];
    const [only, ...more] = found;
    if (only && more.length === 0) return goTo(PAGES[only.kind](only));
    return show((page) => {
      const m = words(page);
      const rows = FOUND_KINDS.flatMap((kind) =>
        found
          .filter((one) => one.kind === kind)
          .map((one) => ({ href: PAGES[kind](one), cells: [one.title, m.kinds[kind]] })),
      );
      const empty = { title: m.nothing, text: m.nothingText };
      return layout(page, {
        title: m.title,
        lead: m.lead,
        body: text === '' ? html`` : list(page, { caption: m.title, columns: m.columns, rows, empty }),
      });
    });
  });
};
