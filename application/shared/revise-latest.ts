import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Pauses } from '../../ports/outbound/system.ts';
import { CONFLICT, untilWritten } from './contended.ts';

type Ports = { readonly accounts: Accounts; readonly pauses: Pauses };

/**
 * Changes an account as it is stored now, and again where another writer came first, so that no other change is lost.
 * False, with nothing written, where the account is gone or `change` gives null. Throws Contention as `untilWritten`
 * does.
 */
export const reviseLatest = (
  { accounts, pauses }: Ports,
  permit: Permit,
  id: number,
  change: (latest: Account) => Account | null,
): Promise<boolean> =>
  untilWritten(pauses, async () => {
    const latest = await accounts.get(id);
    const after = latest ? change(latest) : null;
    if (!latest || !after) return false;
    return (await accounts.revise(permit, latest, after)) === 'updated' ? true : CONFLICT;
  });
