import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { appsToEnd, type ConnectedApp } from '../../domain/sign-in/oauth-grant.ts';
import type { ConnectedApps } from '../../ports/outbound/sign-in.ts';

/**
 * The applications that the account's owner connected, newest first. A client that was connected more than once is
 * shown as one application with the permissions of all its grants.
 */
export const listConnectedApps = ({ connectedApps }: { connectedApps: ConnectedApps }) =>
  async function listConnectedApps(account_id: number): Promise<ConnectedApp[]> {
    const apps = new Map<string, ConnectedApp>();
    for (const app of await connectedApps.of(account_id)) {
      const { permissions, last_used_at } = apps.get(app.client_id) ?? app;
      apps.set(app.client_id, {
        ...(apps.get(app.client_id) ?? app),
        permissions: [...new Set([...permissions, ...app.permissions])],
        last_used_at: last_used_at > app.last_used_at ? last_used_at : app.last_used_at,
      });
    }
    return [...apps.values()];
  };

/**
 * Ends all grants of the application that this grant belongs to, and their tokens. Another account's application is
 * answered as if it did not exist.
 */
export const disconnectApp = ({ connectedApps }: { connectedApps: ConnectedApps }) =>
  async function disconnectApp(
    permit: Permit,
    account_id: number,
    grantId: string,
  ): Promise<Outcome<null, 'app_not_found'>> {
    const apps = await connectedApps.of(account_id);
    const named = apps.find(({ grant_id }) => grant_id === grantId);
    let disconnected = false;
    for (const { client_id, grant_id } of apps) {
      if (client_id !== named?.client_id) continue;
      disconnected = (await connectedApps.disconnect(permit, account_id, grant_id)) || disconnected;
    }
    return disconnected ? ok(null) : refuse('app_not_found', { message: 'This application is not connected.' });
  };

/**
 * Removes an account's connected applications beyond `MOST_APPS`, least recently used first. Two concurrent connections
 * may leave one too many.
 */
export const endUnusedApps = ({ connectedApps }: { connectedApps: ConnectedApps }) =>
  async function endUnusedApps(permit: Permit, account_id: number): Promise<void> {
    for (const { grant_id } of appsToEnd(await connectedApps.of(account_id))) {
      await connectedApps.disconnect(permit, account_id, grant_id);
    }
  };

export type EndUnusedApps = ReturnType<typeof endUnusedApps>;
