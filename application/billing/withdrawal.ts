import type { Permit } from '../../domain/access/permit.ts';
import type { OrderWithdrawal } from '../../domain/billing/order.ts';
import { withdrawalBar } from '../../domain/billing/withdrawal.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import type { Language } from '../../domain/shared/language.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { newTicket, type SupportReport, withdrawalBy } from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { FindFormerWithdrawal } from '../support/tickets.ts';

type Ports = Needs<'catalogs' | 'clock' | 'ids' | 'orderRecords' | 'pauses' | 'productUses'> & {
  findFormerWithdrawal: FindFormerWithdrawal;
};

export type WithdrawalInput = {
  readonly account_id: number;
  readonly order_id: number | null;
  readonly locale: Language;
  /** The declaration in the buyer's language, for the ticket. */
  readonly text: (orderNumber: string) => Pick<SupportReport, 'summary' | 'detail'>;
};

/**
 * Records the buyer's withdrawal from an order, and opens one ticket; the shop refunds the order. The first of several
 * declarations counts, and a message confirms it. If the shop has no withdrawal terms, the call is refused like an
 * unknown order.
 */
export const withdrawFromOrder = ({
  catalogs,
  clock,
  findFormerWithdrawal,
  ids,
  orderRecords,
  pauses,
  productUses,
}: Ports) =>
  function withdrawFromOrder(
    permit: Permit,
    { account_id, order_id, locale, text }: WithdrawalInput,
  ): Promise<Outcome<OrderWithdrawal, 'order_not_found' | 'withdrawal_barred'>> {
    return untilWritten(pauses, async () => {
      const [{ storefront, bundles }, read, known] = await Promise.all([
        catalogs.current(),
        order_id === null ? undefined : orderRecords.read(account_id, order_id),
        productUses.of(account_id),
      ]);
      const terms = storefront?.withdrawal;
      if (!terms || !read) return refuse('order_not_found');
      const { id, number, withdrawal } = read.order;
      const before = withdrawal ?? (await findFormerWithdrawal(account_id, id));
      if (before) return ok(before);
      const now = clock.now();
      const uses = [...known.values()].map(({ use }) => use);
      if (withdrawalBar(read.order, { uses, bundles }, terms, now) !== null) return refuse('withdrawal_barred');
      const about = { app_bundle_id: null, app_version: null, macos_version: null, device_id: null };
      const report = { kind: 'refund_request', ...text(number), ...about } as const;
      const opened = newTicket(report, { id: ids.next(), account_id }, now);
      const ticket = { ...opened, withdrawal: { order_id: id, order_number: number } };
      const messages = [{ ...messageAbout('withdrawal', { account_id, id }), locale }];
      return (await orderRecords.withdraw(permit, read, ticket, messages)) ? ok(withdrawalBy(ticket)) : CONFLICT;
    });
  };
