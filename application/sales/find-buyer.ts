import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { canonicalAddress } from '../../domain/accounts/address.ts';
import type { Buyer } from '../../domain/sales/sale-event.ts';
import { isLocale } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/** The id that a trial gives an account that it would open. */
const UNOPENED = 0;

/**
 * The account with a buyer's address, which is opened where there is none, and by no trial. Of several that open it at
 * once, one does.
 */
export const findBuyer =
  ({ accounts, clock, ids }: Needs<'accounts' | 'clock' | 'ids'>) =>
  async (permit: Permit, buyer: Buyer, trial = false): Promise<Outcome<number, 'email_invalid'>> => {
    const { name } = buyer;
    const email = canonicalAddress(buyer.email);
    if (email === null) {
      return refuse('email_invalid', {
        message: 'The sale names no e-mail address that can reach its buyer, so it has no account.',
      });
    }
    const found = await accounts.findByEmail(buyer.email);
    if (found) return ok(found.id);
    if (trial) return ok(UNOPENED);
    const locale = buyer.locale?.slice(0, 2).toLowerCase() ?? '';
    const made = { id: ids.next(), email, name, created_at: clock.now(), password_hash: null };
    const account: Account = { ...made, ...(isLocale(locale) && { locale }) };
    if ((await accounts.save(permit, account)) !== 'email_taken') return ok(account.id);
    return findBuyer({ accounts, clock, ids })(permit, buyer);
  };
