import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { canonicalAddress } from '../../domain/accounts/address.ts';
import type { Buyer } from '../../domain/sales/sale-event.ts';
import { isLanguage } from '../../domain/shared/language.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

/** The id that a trial uses for an account that it would create. */
const UNOPENED = 0;

/**
 * The account with a buyer's address, created if there is none, except in a trial. Of concurrent calls, only one
 * creates it. Throws Contention while the address leads to an account that is being merged or erased.
 */
export const findBuyer = ({ accounts, clock, ids, pauses }: Needs<'accounts' | 'clock' | 'ids' | 'pauses'>) =>
  function findBuyer(permit: Permit, buyer: Buyer, trial = false): Promise<Outcome<number, 'email_invalid'>> {
    return untilWritten(pauses, async () => {
      const { name } = buyer;
      const email = canonicalAddress(buyer.email);
      if (email === null) {
        return refuse('email_invalid', {
          message: 'The sale contains no valid email address of its buyer, so it has no account.',
        });
      }
      const found = await accounts.findByEmail(buyer.email);
      if (found) return ok(found.id);
      if (trial) return ok(UNOPENED);
      const locale = buyer.locale?.slice(0, 2).toLowerCase() ?? '';
      const made = { id: ids.next(), email, name, created_at: clock.now(), password_hash: null };
      const account: Account = { ...made, ...(isLanguage(locale) && { locale }) };
      return (await accounts.save(permit, account)) === 'email_taken' ? CONFLICT : ok(account.id);
    });
  };
