import { StoredConnectedApps } from '../../../adapters/store/connected-apps.ts';
import { StoredOAuthRecords } from '../../../adapters/store/oauth-records.ts';
import { DisconnectApp } from '../../../application/sign-in/disconnect-app.ts';
import { EndUnusedApps } from '../../../application/sign-in/end-unused-apps.ts';
import { ListConnectedApps } from '../../../application/sign-in/list-connected-apps.ts';
import type { ConnectedApps } from '../../../ports/outbound/connected-apps.ts';
import type { OAuthRecords } from '../../../ports/outbound/oauth-records.ts';
import { onAudited, part } from '../area.ts';

/** Keeps what applications are let in with, shows an account's owner which ones are, and ends them. */
export const oauth = {
  parts: {
    oauthRecords: onAudited<OAuthRecords>(StoredOAuthRecords),
    connectedApps: (parts: ConstructorParameters<typeof StoredConnectedApps>[0]): ConnectedApps =>
      new StoredConnectedApps(parts),
    listConnectedApps: part(ListConnectedApps),
    disconnectApp: part(DisconnectApp),
    endUnusedApps: part(EndUnusedApps),
  },
};
