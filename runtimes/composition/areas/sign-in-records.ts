import { StoredConnectedApps, StoredOAuthRecords } from '../../../adapters/store/oauth-records.ts';
import { StoredKnownBrowsers, StoredSessions } from '../../../adapters/store/sign-ins.ts';
import { findMember } from '../../../application/access/members.ts';
import { resetPassword } from '../../../application/accounts/accounts.ts';
import { disconnectApp, endUnusedApps, listConnectedApps } from '../../../application/sign-in/connected-apps.ts';
import type { OAuthRecords } from '../../../ports/outbound/oauth-records.ts';
import type { ConnectedApps, KnownBrowsers, Sessions } from '../../../ports/outbound/sign-in.ts';
import { onAudited, onTable } from '../area.ts';

/** The browsers of an account and the members of the shop, for the pages that sign people in, and for the operator's commands. */
export const signInRecords = {
  parts: {
    sessions: onTable<Sessions>(StoredSessions),
    knownBrowsers: onTable<KnownBrowsers>(StoredKnownBrowsers),
    findMember,
  },
};

/** Stores the records of connected applications, lists them for an account's owner, and disconnects them. */
export const oauth = {
  parts: {
    oauthRecords: onAudited<OAuthRecords>(StoredOAuthRecords),
    connectedApps: (parts: ConstructorParameters<typeof StoredConnectedApps>[0]): ConnectedApps =>
      new StoredConnectedApps(parts),
    listConnectedApps,
    disconnectApp,
    endUnusedApps,
  },
};

/** The operator's reset of a password. No Lambda function has this area. */
export const passwordReset = { parts: { resetPassword } };
