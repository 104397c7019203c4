import type { Account } from '../../domain/accounts/account.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';

export type Ports = { accounts: Accounts };

/** Every account, by id. */
export class ListAccounts {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  execute(): Promise<Account[]> {
    return Array.fromAsync(this.#ports.accounts.list());
  }
}
