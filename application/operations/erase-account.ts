import type { Permit } from '../../domain/access/permit.ts';
import type { ErasureCounts } from '../../domain/accounts/erasure.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { accountMissing } from './find-account.ts';

export type Ports = Needs<'accountErasures' | 'accounts' | 'pauses'>;

export type Input = {
  readonly account_id: number;
  /** True counts what would go and stay, and writes nothing. */
  readonly trial?: boolean;
};

export type ErasedAccount = ErasureCounts & {
  /** `completed`: the account was erased before; this removed what was left. `trial`: nothing was written. */
  readonly result: 'erased' | 'completed' | 'trial';
};

/**
 * Erases an account and all that the shop has no duty to keep (`GOES`); the rest (`STAYS`) stays under the account's
 * number, without a name. From the first step on nobody signs in, every key is as good as unknown once it is removed,
 * and the e-mail address is free for a new account. An erasure that broke off is completed by the same call.
 */
export const eraseAccount =
  ({ accounts, accountErasures, pauses }: Ports) =>
  async (
    permit: Permit,
    { account_id, trial = false }: Input,
  ): Promise<Outcome<ErasedAccount, 'account_not_found'>> => {
    const begun = await untilWritten(pauses, async () => {
      const account = await accounts.get(account_id);
      if (!account && !(await accounts.erasure(account_id))) return accountMissing(account_id);
      if (!account || trial) return ok(account);
      return (await accountErasures.begin(permit, account)) ? ok(account) : CONFLICT;
    });
    if (!begun.ok) return begun;
    if (trial) return ok({ ...(await accountErasures.survey(account_id)), result: 'trial' });
    const { goes, stays } = await accountErasures.sweep(permit, account_id);
    const isFirst = begun.value !== undefined;
    return ok({ goes: { ...goes, profile: isFirst ? 1 : 0 }, stays, result: isFirst ? 'erased' : 'completed' });
  };

export type EraseAccount = ReturnType<typeof eraseAccount>;
