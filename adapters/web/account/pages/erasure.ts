import { html } from 'hono/html';
import type { ListSubscriptions } from '../../../../application/billing/subscriptions.ts';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import { moneyText } from '../../../../domain/billing/money.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { dayIn } from '../../shared/dates.ts';
import { field, type Html } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import type { OwnFormVisit, OwnVisit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import { messageView, notFoundView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';
import { nameIn } from './orders.ts';

type Charged = Awaited<ReturnType<ListSubscriptions>>['subscriptions'][number] & { readonly name: string };

type ErasureModel = {
  readonly isWrong: boolean;
  /** The subscriptions that the payment provider will continue to charge. */
  readonly charged: readonly Charged[];
};

/** The subscriptions that are still charged after the erasure, and where to cancel each. */
const stillCharged = (page: Page, charged: readonly Charged[]): Html | '' => {
  const { erasure: m, orders } = page.m;
  const portal = inLocale(page.shop.storefront?.links?.billing ?? {}, page.locale);
  const rows = charged.map(({ name, next_charge_at, renewal_amount_cents: cents, renewal_currency: currency }) => {
    const price = cents === null || currency === null ? '' : `, ${moneyText(page.language, cents, currency)}`;
    return html`<li>${name}${next_charge_at === null ? '' : ` (${orders.nextCharge}: ${dayIn(page, next_charge_at)}${price})`}</li>`;
  });
  if (rows.length === 0) return '';
  return html`<section class="warning" aria-labelledby="charged"><h2 id="charged">${m.stillCharged}</h2><p>${m.stillChargedText}</p><ul class="points">${rows}</ul>
<p>${portal === undefined ? html`<a href="/support#write">${page.m.support.write}</a>` : html`<a href="${portal}" rel="noreferrer">${orders.cancel}</a>`}</p></section>`;
};

/** The page that explains what an erasure removes and keeps, and asks the owner to confirm it. */
export const erasureView = (page: Page, { isWrong, charged }: ErasureModel): Html => {
  const { erasure: m } = page.m;
  const list = (title: string, lines: readonly string[]): Html =>
    html`<h2>${title}</h2><ul class="points">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  return layout(page, {
    title: m.title,
    section: 'profile',
    narrow: true,
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${stillCharged(page, charged)}
<p><a href="/profile#data">${m.copy}</a></p>
${list(m.goes, m.goesList)}
${list(m.stays, m.staysList)}
<form method="post" action="/profile/erase" class="stack">${csrfField(page)}
${field({ name: 'confirm', label: m.email, hint: m.emailHint, type: 'email', maxlength: LONGEST_EMAIL, required: true, error: isWrong ? m.wrongEmail : undefined, first: isWrong })}
<div class="actions"><button class="danger">${m.button}</button><a class="button" href="/profile">${m.keep}</a></div>
</form>`,
  });
};

/** The pages with which owners erase their account, and the final page. */
export const addErasurePages = (paths: Paths): void => {
  const { catalogs, eraseOwnAccount, listOrders, listSubscriptions } = paths.settings.parts;

  const view = async ({ session, locale }: OwnVisit, isWrong: boolean) => {
    const of = { account_id: session.account_id, locale };
    const [{ subscriptions }, { orders }, { products }] = await Promise.all([
      listSubscriptions(of),
      listOrders(of),
      catalogs.current(),
    ]);
    const nameOf = nameIn(products, orders, locale);
    const charged = subscriptions.filter(({ can_cancel }) => can_cancel).map((one) => ({ ...one, name: nameOf(one) }));
    return (page: Page) => erasureView(page, { isWrong, charged });
  };

  paths.own('/profile/erase', async (visit) => show(await view(visit, false)));

  const erase = async (visit: OwnFormVisit): Promise<Answer> => {
    const { session, form, permit } = visit;
    const erased = await eraseOwnAccount(permit, session, form.text('confirm'));
    if (erased.ok) return goTo('/erased', [paths.cookies.clear('session'), paths.cookies.clear('known')]);
    if (erased.code === 'account_not_found') return show(notFoundView, 404, '/');
    if (erased.code === 'account_of_member') return goTo('/profile?done=ofMember');
    return show(await view(visit, true), 422);
  };
  paths.ownForm('/profile/erase', '/profile/erase', erase, { fresh: true });

  paths.open('/erased', () =>
    show((page) => messageView(page, { title: page.m.erasure.doneTitle, text: page.m.erasure.doneText, more: html`` })),
  );
};
