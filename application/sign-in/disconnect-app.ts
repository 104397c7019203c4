import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ConnectedApps } from '../../ports/outbound/connected-apps.ts';

export type Ports = { connectedApps: ConnectedApps };

/** Ends an application's grant and each of its tokens. Another account's application answers as if there were none. */
export class DisconnectApp {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(permit: Permit, accountId: number, grantId: string): Promise<Outcome<null, 'app_not_found'>> {
    const disconnected = await this.#ports.connectedApps.disconnect(permit, accountId, grantId);
    return disconnected ? ok(null) : refuse('app_not_found', { message: 'This application is not connected.' });
  }
}
