import type { Permit } from '../../domain/access/permit.ts';
import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import { isLiveGrant } from '../../domain/sign-in/oauth-grant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { ConnectedApps } from '../../ports/outbound/connected-apps.ts';
import { endGrant } from './end-grant.ts';
import { oauthKeys } from './keys/oauth.ts';
import { allRecords } from './records.ts';
import type { Table } from './table.ts';

const newestFirst = (a: ConnectedApp, b: ConnectedApp): number =>
  a.created_at === b.created_at ? 0 : a.created_at < b.created_at ? 1 : -1;

/** The grants of the authorization server as their account's owner sees them. */
export class StoredConnectedApps implements ConnectedApps {
  readonly #table: Table;
  readonly #clock: Clock;

  constructor({ table, clock }: { table: Table; clock: Clock }) {
    this.#table = table;
    this.#clock = clock;
  }

  async of(accountId: number): Promise<ConnectedApp[]> {
    const now = this.#clock.now();
    const apps = await allRecords(this.#table, oauthKeys.appsOfAccount(accountId));
    return apps.filter((app) => isLiveGrant(app, now)).sort(newestFirst);
  }

  async disconnect(_permit: Permit, accountId: number, grantId: string): Promise<boolean> {
    if (!/^[\w-]{1,100}$/.test(grantId)) return false;
    const app = await this.#table.get(oauthKeys.app(accountId, grantId));
    if (!app) return false;
    await endGrant(this.#table, grantId, app.data);
    return true;
  }
}
