import { html } from 'hono/html';
import type { ListSubscriptions } from '../../../../application/billing/subscriptions.ts';
import { dayIn } from '../../shared/dates.ts';
import type { Html } from '../../shared/pieces.ts';
import type { Page } from './page.ts';

type Due = Pick<
  Awaited<ReturnType<ListSubscriptions>>['subscriptions'][number],
  'access_ends_at' | 'update_payment_method_url'
>;
/** A subscription whose last payment failed, with its name. */
export type NamedDue = Due & { readonly name: string };

/** The effect of a failed payment, with the day on which access ends. */
export const dueText = (page: Page, { access_ends_at: at }: Due): string =>
  at === null ? page.m.orders.due : page.m.orders.dueBy(dayIn(page, at));

/** The banner about a failed payment at the top of a page, with the link to pay. */
export const dueBanner = (page: Page, due: NamedDue | undefined): Html | '' =>
  due === undefined
    ? ''
    : html`<p class="warning" role="status"><strong>${due.name}</strong><br>${dueText(page, due)} <a href="${due.update_payment_method_url ?? '/orders'}" rel="noreferrer">${due.update_payment_method_url === null ? page.m.orders.title : page.m.orders.changeCard}</a></p>`;
