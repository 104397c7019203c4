import type { ConnectedApp } from '../../../domain/sign-in/oauth-grant.ts';
import type { OAuthName, OAuthRecord } from '../../../ports/outbound/oauth-records.ts';
import type { KeyOf, Partition } from './families.ts';
import { allOfAccount, keyIn, ofAccount } from './shared.ts';

/**
 * Keys of the authorization server's records. A record is found by the hash of its id; the partition of a grant names
 * the grant's codes and tokens, so that they end together.
 */
export const oauthKeys = {
  record: ({ kind, hash }: OAuthName): KeyOf<OAuthRecord> => ({ pk: `OAUTH#${kind}#${hash}`, sk: 'OAUTH' }),

  /** The grant itself. Each write of one of its tokens requires this item. */
  grant: (grantId: string): KeyOf<ConnectedApp> => ({ pk: `OAUTHGRANT#${grantId}`, sk: 'GRANT' }),
  tokensOfGrant: (grantId: string): Partition<OAuthName> => ({ pk: `OAUTHGRANT#${grantId}`, prefix: 'TOKEN#' }),
  tokenOfGrant: (grantId: string, { kind, hash }: OAuthName) =>
    keyIn<OAuthName>(`OAUTHGRANT#${grantId}`, `TOKEN#${kind}#${hash}`),

  /** The same grant in the list of its client. */
  grantOfClient: (clientId: string, grantId: string) =>
    keyIn<ConnectedApp>(`OAUTHCLIENT#${clientId}`, `GRANT#${grantId}`),
  grantsOfClient: (clientId: string): Partition<ConnectedApp> => ({ pk: `OAUTHCLIENT#${clientId}`, prefix: 'GRANT#' }),

  /** The same grant in the list of its account's apps. */
  app: (accountId: number, grantId: string) => ofAccount<ConnectedApp>(accountId, `APPS#${grantId}`),
  appsOfAccount: (accountId: number) => allOfAccount<ConnectedApp>(accountId, 'APPS#'),
};
