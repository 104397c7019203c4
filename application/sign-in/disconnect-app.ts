import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ConnectedApps } from '../../ports/outbound/sign-in.ts';

export type Ports = { connectedApps: ConnectedApps };

/** Ends each grant of the application that this grant belongs to, and their tokens. Another account's application answers as if there were none. */
export const disconnectApp =
  ({ connectedApps }: Ports) =>
  async (permit: Permit, accountId: number, grantId: string): Promise<Outcome<null, 'app_not_found'>> => {
    const apps = await connectedApps.of(accountId);
    const named = apps.find(({ grant_id }) => grant_id === grantId);
    let disconnected = false;
    for (const { client_id, grant_id } of apps) {
      if (client_id !== named?.client_id) continue;
      disconnected = (await connectedApps.disconnect(permit, accountId, grant_id)) || disconnected;
    }
    return disconnected ? ok(null) : refuse('app_not_found', { message: 'This application is not connected.' });
  };

export type DisconnectApp = ReturnType<typeof disconnectApp>;
