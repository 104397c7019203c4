import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import { oauthKeys } from './keys/oauth.ts';
import { allRecords } from './records.ts';
import type { Table, Write } from './table.ts';

/** Tokens that one transaction removes, each with its entry in the grant's partition. */
const BATCH = 40;

/** Removes the grant, if it is there, with its entry for the audit log. A use of the grant meanwhile is read again. */
const removeTraced = async (table: Table, grantId: string, trace: () => Write): Promise<void> => {
  const grant = oauthKeys.grant(grantId);
  for (;;) {
    const read = await table.get(grant);
    if (!read) return;
    if (await table.transact([{ remove: grant, condition: { version: read.version } }, trace()])) return;
  }
};

/**
 * Ends a grant. The grant goes first, because a token is written only while its grant is there: every token that was
 * written is found afterwards. The entries on the lists of its client and its account go last, so that ending it again
 * completes an end that broke off. `trace` makes the audit log's entry, which is written with the removal of the grant
 * and so once.
 */
export const endGrant = async (
  table: Table,
  grantId: string,
  app: ConnectedApp | undefined,
  trace?: () => Write,
): Promise<void> => {
  if (trace) await removeTraced(table, grantId, trace);
  else await table.remove(oauthKeys.grant(grantId));
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
