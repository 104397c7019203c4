import { html } from 'hono/html';
import type { ListTransfers, ReceivedOffer } from '../../../../application/licensing/transfer.ts';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import type { TransferOffer } from '../../../../domain/licensing/transfer.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { day } from '../../shared/dates.ts';
import { facts, field, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { goTo, show } from '../answer.ts';
import { idIn } from '../form.ts';
import type { OwnFormVisit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { confirmation, hiddenFields } from '../views/confirmation.ts';
import { csrfField, layout, type Page } from '../views/page.ts';

const HERE = '/transfers';

export type TransfersModel = Awaited<ReturnType<ListTransfers>> & { readonly notice: Notice | null };

/** The offers of licenses that an account got and made, and the form for another one. */
export const transfersView = (
  page: Page,
  { given, received, transferable, products, notice }: TransfersModel,
): Html => {
  const { transfers: m } = page.m;
  const nameOf = (id: number): string => inLocale(products.get(id)?.name ?? {}, page.locale) ?? `#${id}`;
  const fieldsOf = ({ from, entitlement_id }: TransferOffer) => ({ from: String(from), grant: String(entitlement_id) });
  const cancel = (offer: TransferOffer, label: string): Html =>
    html`<form method="post" action="${HERE}/cancel" class="inlineform">${hiddenFields(page, fieldsOf(offer))}<button>${label}</button></form>`;
  const accept = ({ offer, sender }: ReceivedOffer): Html =>
    confirmation(page, {
      label: m.accept,
      about: nameOf(offer.product_id),
      question: m.question(sender),
      button: m.accept,
      action: `${HERE}/accept`,
      fields: fieldsOf(offer),
    });
  const offerRow = (page: Page, offer: TransferOffer, party: string, forms: Html): Html =>
    html`<li class="row"><div class="title"><h2>${nameOf(offer.product_id)}</h2><p class="kind">${party}</p></div>${facts([[m.until, day(page, offer.expires_at)]])}<div class="ways">${forms}</div></li>`;
  const rows = [
    ...received.map((one) =>
      offerRow(page, one.offer, m.by(one.sender), html`${accept(one)}${cancel(one.offer, m.decline)}`),
    ),
    ...given.map((offer) => offerRow(page, offer, m.to(offer.email), cancel(offer, m.cancel))),
  ];
  const options = transferable.map(
    ({ id, product_id, granted_at }) =>
      html`<option value="${id}">${nameOf(product_id)} (${granted_at.slice(0, 10)})</option>`,
  );
  return layout(page, {
    title: m.title,
    section: 'library',
    narrow: true,
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${noticeBox(notice)}
${rows.length === 0 ? '' : html`<div class="card"><ul class="rows">${rows}</ul></div>`}
${
  options.length === 0
    ? html`<p class="none">${m.none}</p>`
    : html`<form method="post" action="${HERE}" class="stack">${csrfField(page)}<p><label for="grant">${m.license}</label><select id="grant" name="grant">${options}</select></p>
${field({ name: 'email', label: m.email, hint: m.emailHint, type: 'email', maxlength: LONGEST_EMAIL, required: true })}
<div class="actions"><button class="danger">${m.offer}</button><a class="button" href="/library">${page.m.library.all}</a></div></form>`
}`,
  });
};

/** The pages on which owners give a license to somebody else, and accept one. */
export const addTransferPages = (paths: Paths): void => {
  const { listTransfers, offerTransfer, acceptTransfer, cancelTransfer } = paths.settings.parts;
  const done = (outcome: { readonly ok: boolean; readonly code?: string }, word: string) => {
    const { code = '' } = outcome;
    return goTo(`${HERE}?done=${outcome.ok ? word : FAULTS.includes(code) ? code : 'not_transferable'}`);
  };
  const named = ({ session, form }: OwnFormVisit) => ({
    account_id: session.account_id,
    from: idIn(form.text('from')) ?? 0,
    id: idIn(form.text('grant')) ?? 0,
  });

  paths.own(HERE, async ({ session, query }) => {
    const model = await listTransfers(session.account_id);
    const notice = noticeIn(query, {
      done: ({ transfers: m }) => m.done,
      faults: ({ transfers: m }) => m.faults,
    });
    return show((page) => transfersView(page, { ...model, notice: notice(page.m) }));
  });
  const offer = async (visit: OwnFormVisit) => {
    const { account_id: from, id } = named(visit);
    return done(await offerTransfer(visit.permit, { from, id, email: visit.form.text('email') }), 'offered');
  };
  paths.boundedForm(HERE, HERE, offer, { fresh: true });
  const accept = async (visit: OwnFormVisit) => done(await acceptTransfer(visit.permit, named(visit)), 'accepted');
  paths.boundedForm(`${HERE}/accept`, HERE, accept);
  paths.ownForm(`${HERE}/cancel`, HERE, async (visit) =>
    done(await cancelTransfer(visit.permit, named(visit)), 'ended'),
  );
};

const FAULTS: readonly string[] = ['email_invalid', 'own_address', 'daily_limit_reached', 'offer_not_found'];
