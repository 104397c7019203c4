import { html } from 'hono/html';
import { moneyText } from '../../../../domain/billing/money.ts';
import { DUE_STATES, type DueState } from '../../../../domain/billing/subscription-due.ts';
import { accessEnd } from '../../../../domain/licensing/subscription.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { listDueSubscriptions } from '../../../../ports/inbound/shop/orders.ts';
import { dayIn } from '../../shared/dates.ts';
import type { Html } from '../../shared/pieces.ts';
import { subscriptions as en } from '../messages/en/subscriptions.ts';
import { subscriptions as ko } from '../messages/ko/subscriptions.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths } from '../paths.ts';
import { layout } from '../views/layout.ts';
import { list, section } from '../views/pieces.ts';
import { type Names, namesOf } from './sales.ts';

const words = inBoth({ en, ko });

/** The lists in the order of their urgency, and how many of each the page of all shows. */
const LISTS: readonly DueState[] = ['failing', 'renewing', 'ending'];
const [FEW, MANY] = [10, 50];

type Due = AnswerIn<typeof listDueSubscriptions>;

const nextText = (page: ConsolePage, state: DueState, one: Due['data'][number]): string => {
  const m = words(page);
  const { next_charge_at = null, renewal_amount_cents: cents = null, renewal_currency = null } = one.billing ?? {};
  const end = accessEnd(one);
  const ends = end === null ? m.openEnd : (state === 'failing' ? m.unlessPaid : m.ends)(dayIn(page, end));
  if (state !== 'renewing') return ends;
  const amount = cents === null || renewal_currency === null ? null : moneyText(page.language, cents, renewal_currency);
  return next_charge_at === null ? ends : m.charged(dayIn(page, next_charge_at), amount);
};

const dueList = (
  page: ConsolePage,
  state: DueState,
  { data, next_after }: Due,
  names: Names,
  isWhole: boolean,
): Html => {
  const m = words(page);
  const [title, none] = {
    failing: [m.failing, m.noFailing],
    renewing: [m.renewing, m.noRenewing],
    ending: [m.ending, m.noEnding],
  }[state] as [string, string];
  if (!isWhole && data.length === 0) return html`<p class="none">${none}.</p>`;
  const isLinked = page.sections.has('customers');
  return list(page, {
    caption: title,
    columns: [m.customer, m.products, m.next],
    rows: data.map((one) => ({
      ...(isLinked && one.account_email !== null && { href: `/customers/${one.account_id}` }),
      cells: [
        one.account_email ?? m.erased,
        one.product_ids.map((id) => names.get(id)?.name ?? String(id)).join(', '),
        nextText(page, state, one),
      ],
    })),
    empty: { title: none, text: m.empty },
    next: isWhole ? next_after : null,
  });
};

/** The subscriptions whose payment failed, that renew soon, and that end. */
export const addSubscriptionPages = (paths: ConsolePaths): void => {
  paths.section('subscriptions', [listDueSubscriptions]);

  paths.page('/subscriptions', [listDueSubscriptions], async (visit) => {
    const asked = DUE_STATES.find((state) => state === visit.query.get('state'));
    const states = asked ? [asked] : LISTS;
    const query = { limit: asked ? MANY : FEW, after: asked ? visit.query.get('after') : null };
    const [names, ...lists] = await Promise.all([
      namesOf(paths, visit),
      ...states.map((state) => paths.ask(visit, listDueSubscriptions, { query: { ...query, state } })),
    ]);
    const failed = lists.find((one) => !one.ok);
    if (failed && !failed.ok) return blocked(failed);
    return show((page) => {
      const m = words(page);
      const title = shellWords(page).sections.subscriptions;
      const parts = lists.map((one, n) => {
        const state = states[n] as DueState;
        const due = one.ok ? one.value : { data: [], next_after: null };
        const rows = dueList(page, state, due, names(page), asked !== undefined);
        if (asked) return rows;
        const [of, about] = {
          failing: [m.failing, m.failingText],
          renewing: [m.renewing, m.renewingText],
          ending: [m.ending, m.endingText],
        }[state] as [string, string];
        const more = due.next_after === null ? '' : html`<a href="/subscriptions?state=${state}">${m.all}</a>`;
        return section(of, html`<p class="hint">${about}</p>${rows}`, more);
      });
      return layout(page, {
        title: asked ? m[asked] : title,
        section: 'subscriptions',
        ...(asked && { up: { href: '/subscriptions', text: title } }),
        body: html`${parts}`,
      });
    });
  });
};
