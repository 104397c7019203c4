import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import { oauthKeys } from './keys/oauth.ts';
import { allRecords } from './records.ts';
import type { Table, Write } from './table.ts';

/** Tokens that one transaction removes, each with its entry in the grant's partition. */
const BATCH = 40;

/**
 * Ends a grant. The grant goes first, because a token is written only while its grant is there: every token that was
 * written is found afterwards. The entries on the lists of its client and its account go last, so that ending it again
 * completes an end that broke off. `traces` are entries for the audit log, written when the grant goes.
 */
export const endGrant = async (
  table: Table,
  grantId: string,
  app: ConnectedApp | undefined,
  traces: readonly Write[] = [],
): Promise<void> => {
  await table.transact([{ remove: oauthKeys.grant(grantId) }, ...traces]);
  const names = await allRecords(table, oauthKeys.tokensOfGrant(grantId));
  for (let first = 0; first < names.length; first += BATCH) {
    const writes = names
      .slice(first, first + BATCH)
      .flatMap((name): Write[] => [
        { remove: oauthKeys.record(name) },
        { remove: oauthKeys.tokenOfGrant(grantId, name) },
      ]);
    await table.transact(writes);
  }
  if (!app) return;
  await table.transact([
    { remove: oauthKeys.grantOfClient(app.client_id, grantId) },
    { remove: oauthKeys.app(app.account_id, grantId) },
  ]);
};
