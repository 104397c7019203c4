import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import type { ConnectedApps } from '../../ports/outbound/sign-in.ts';

export type Ports = { connectedApps: ConnectedApps };

/**
 * The applications that the account's owner let in, newest first. A client that was let in more than once is one
 * application, which may what any of its grants may.
 */
export const listConnectedApps =
  ({ connectedApps }: Ports) =>
  async (accountId: number): Promise<ConnectedApp[]> => {
    const apps = new Map<string, ConnectedApp>();
    for (const app of await connectedApps.of(accountId)) {
      const { permissions, last_used_at } = apps.get(app.client_id) ?? app;
      apps.set(app.client_id, {
        ...(apps.get(app.client_id) ?? app),
        permissions: [...new Set([...permissions, ...app.permissions])],
        last_used_at: last_used_at > app.last_used_at ? last_used_at : app.last_used_at,
      });
    }
    return [...apps.values()];
  };

export type ListConnectedApps = ReturnType<typeof listConnectedApps>;
