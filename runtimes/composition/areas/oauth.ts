import { DisconnectApp } from '../../../application/sign-in/disconnect-app.ts';
import { ListConnectedApps } from '../../../application/sign-in/list-connected-apps.ts';
import { part } from '../area.ts';

/** Shows an account's owner which applications are let in, and ends them. */
export const oauth = {
  parts: {
    listConnectedApps: part(ListConnectedApps),
    disconnectApp: part(DisconnectApp),
  },
};
