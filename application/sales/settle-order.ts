import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from '../accounts/accounts.ts';
import type { FindOrder } from '../billing/shop-orders.ts';
import type { RecordedSale, RecordSale } from './record-sale.ts';

type Ports = Needs<'accounts' | 'clock' | 'sales' | 'storedOrders'> & {
  readonly findOrder: FindOrder;
  readonly recordSale: RecordSale;
};

/**
 * Records that a pending order of the shop's own system is paid now, with the facts that its system reported. Other
 * pending orders are refused as `order_not_own`: their payment providers, or the store document, tell of their payments.
 */
export const settleOrder = ({ accounts, clock, findOrder, recordSale, sales, storedOrders }: Ports) =>
  async function settleOrder(
    permit: Permit,
    { order: named }: { readonly order: string },
  ): Promise<Outcome<RecordedSale, string>> {
    const found = await findOrder(named);
    if (!found.ok) return found;
    const { account_id, id } = found.value;
    const [account, order] = await Promise.all([accounts.get(account_id), storedOrders.find(account_id, id)]);
    if (!account || !order) return accountMissing(account_id);
    const { number, status, source } = order;
    const message = `Order ${number} is ${status}; only a pending order can be marked as paid.`;
    if (status !== 'pending') return refuse('order_not_pending', { message });
    const names = { order: source?.provider === 'shop' ? source.payment : null, subscription: null };
    const facts = (await sales.read('shop', names)).order.order?.facts;
    if (!facts) return refuse('order_not_own', { message: `Order ${number} is marked as paid where it was made.` });
    const now = clock.now();
    const buyer = { email: account.email, name: null, locale: null };
    const paid = { ...facts, buyer, status: 'paid', paid_at: now } as const;
    return recordSale(permit, { provider: 'shop', happened_at: now, recorded: true, facts: paid });
  };
