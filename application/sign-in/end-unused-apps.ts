import type { Permit } from '../../domain/access/permit.ts';
import { appsToEnd } from '../../domain/sign-in/oauth-grant.ts';
import type { ConnectedApps } from '../../ports/outbound/connected-apps.ts';

export type Ports = { connectedApps: ConnectedApps };

/**
 * Ends the connected applications of an account beyond `MOST_APPS`, those unused for longest. Two that are let in at the
 * same moment may leave one more.
 */
export class EndUnusedApps {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(permit: Permit, accountId: number): Promise<void> {
    const { connectedApps } = this.#ports;
    for (const { grant_id } of appsToEnd(await connectedApps.of(accountId))) {
      await connectedApps.disconnect(permit, accountId, grant_id);
    }
  }
}
