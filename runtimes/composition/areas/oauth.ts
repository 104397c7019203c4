import { StoredConnectedApps, StoredOAuthRecords } from '../../../adapters/store/oauth-records.ts';
import { disconnectApp, endUnusedApps, listConnectedApps } from '../../../application/sign-in/connected-apps.ts';
import type { OAuthRecords } from '../../../ports/outbound/oauth-records.ts';
import type { ConnectedApps } from '../../../ports/outbound/sign-in.ts';
import { onAudited } from '../area.ts';

/** Keeps what applications are let in with, shows an account's owner which ones are, and ends them. */
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
