import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import { isLiveGrant } from '../../domain/sign-in/oauth-grant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { ConnectedApps } from '../../ports/outbound/connected-apps.ts';
import type { Audited, AuditTrail } from './audit-trail.ts';
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
  readonly #trail: AuditTrail;

  constructor({ table, clock, auditTrail }: Audited & { readonly clock: Clock }) {
    this.#table = table;
    this.#trail = auditTrail;
    this.#clock = clock;
  }

  async of(accountId: number): Promise<ConnectedApp[]> {
    const now = this.#clock.now();
    const apps = await allRecords(this.#table, oauthKeys.appsOfAccount(accountId));
    return apps.filter((app) => isLiveGrant(app, now)).sort(newestFirst);
  }

  async disconnect(permit: Permit, accountId: number, grantId: string): Promise<boolean> {
    if (!/^[\w-]{1,100}$/.test(grantId)) return false;
    const app = await this.#table.get(oauthKeys.app(accountId, grantId));
    if (!app) return false;
    const subject = { kind: 'app', id: app.data.client_id, account_id: accountId } as const;
    await endGrant(this.#table, grantId, app.data, () =>
      this.#trail.entry(permit, auditEvent(subject, 'disconnected')),
    );
    return true;
  }
}
