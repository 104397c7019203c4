import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import type { ConnectedApps } from '../../ports/outbound/connected-apps.ts';

export type Ports = { connectedApps: ConnectedApps };

/** The applications that the account's owner let in, newest first. */
export class ListConnectedApps {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  execute(accountId: number): Promise<ConnectedApp[]> {
    return this.#ports.connectedApps.of(accountId);
  }
}
