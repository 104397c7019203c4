import type { Permit } from '../../domain/access/permit.ts';
import { appsToEnd } from '../../domain/sign-in/oauth-grant.ts';
import type { ConnectedApps } from '../../ports/outbound/sign-in.ts';

export type Ports = { connectedApps: ConnectedApps };

/**
 * Ends the connected applications of an account beyond `MOST_APPS`, those unused for longest. Two that are let in at the
 * same moment may leave one more.
 */
export const endUnusedApps =
  ({ connectedApps }: Ports) =>
  async (permit: Permit, accountId: number): Promise<void> => {
    for (const { grant_id } of appsToEnd(await connectedApps.of(accountId))) {
      await connectedApps.disconnect(permit, accountId, grant_id);
    }
  };

export type EndUnusedApps = ReturnType<typeof endUnusedApps>;
