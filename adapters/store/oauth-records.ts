import type { Permit } from '../../domain/access/permit.ts';
import type { ActionOn } from '../../domain/audit/actions.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type ConnectedApp, grantEnd, isLiveGrant } from '../../domain/sign-in/oauth-grant.ts';
import type {
  ConsentDecision,
  Issue,
  NamedOAuthRecord,
  OAuthName,
  OAuthRecord,
  OAuthRecords,
  ReadGrant,
  ReadOAuthRecord,
} from '../../ports/outbound/oauth-records.ts';
import type { ConnectedApps } from '../../ports/outbound/sign-in.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import type { AuditedParts, AuditTrail } from './audit-trail.ts';
import { expiryAt } from './expiry.ts';
import { accountKeys } from './keys/accounts.ts';
import { oauthKeys } from './keys/oauth.ts';
import { allRecords, itemOf, notErased } from './records.ts';
import { Audited } from './repository.ts';
import type { KeyOf, TypedItem, TypedTable, TypedWrite } from './typed-table.ts';

/** The number of tokens that one transaction removes, each with its entry in the grant's partition. */
const BATCH = 40;

/** Removes the grant, if it exists, and writes its audit entry. Retries if the grant is used meanwhile. */
const removeTraced = async (table: TypedTable, grantId: string, trace: () => TypedWrite): Promise<void> => {
  const grant = oauthKeys.grant(grantId);
  for (;;) {
    const read = await table.get(grant);
    if (!read) return;
    if (await table.transact([{ remove: grant, condition: { version: read.version } }, trace()])) return;
  }
};

/**
 * Ends a grant. The grant goes first, because a token is written only while its grant exists, so no token appears after
 * the search for them. The entries in the lists of its client and its account go last, so that repeating the call
 * completes an interrupted end. `trace` creates the audit entry, which is written with the removal of the grant and so
 * exactly once.
 */
export const endGrant = async (
  table: TypedTable,
  grantId: string,
  app: ConnectedApp | undefined,
  trace?: () => TypedWrite,
): Promise<void> => {
  if (trace) await removeTraced(table, grantId, trace);
  else await table.remove(oauthKeys.grant(grantId));
  const names = await allRecords(table, oauthKeys.tokensOfGrant(grantId));
  for (let first = 0; first < names.length; first += BATCH) {
    const writes = names
      .slice(first, first + BATCH)
      .flatMap((name): TypedWrite[] => [
        { remove: oauthKeys.record(name) },
        { remove: oauthKeys.tokenOfGrant(grantId, name) },
      ]);
    await table.transact(writes);
  }
  if (!app) return;
  await table.transact([
    { remove: oauthKeys.grantOfClient(app.client_id, grantId) },
    { remove: oauthKeys.app(app.account_id, grantId) },
  ]);
};

const itemOfRecord = (name: OAuthName, record: OAuthRecord): TypedItem =>
  itemOf(oauthKeys.record(name), record, expiryAt(record.expires_at));

const grantItems = (app: ConnectedApp): readonly [TypedItem, TypedItem, TypedItem] => {
  const { grant_id, account_id, client_id } = app;
  const { grant, app: ofAccount, grantOfClient } = oauthKeys;
  const item = (key: KeyOf<ConnectedApp>): TypedItem => itemOf(key, app, expiryAt(grantEnd(app)));
  return [item(grant(grant_id)), item(ofAccount(account_id, grant_id)), item(grantOfClient(client_id, grant_id))];
};

/** A code that was issued meanwhile is useless without its grant. */
const removalOf = ({ grant_id, account_id, client_id }: ConnectedApp): TypedWrite[] => [
  { remove: oauthKeys.grant(grant_id) },
  { remove: oauthKeys.grantOfClient(client_id, grant_id) },
  { remove: oauthKeys.app(account_id, grant_id) },
];

const tokenWrites = (grantId: string, { kind, hash, record }: NamedOAuthRecord): TypedWrite[] => [
  { put: itemOfRecord({ kind, hash }, record), condition: { absent: true } },
  {
    put: itemOf(oauthKeys.tokenOfGrant(grantId, { kind, hash }), { kind, hash }, expiryAt(record.expires_at)),
    condition: { absent: true },
  },
];

/** Stores each record under the hash of its id. A token is written only if its grant exists. */
export class StoredOAuthRecords extends Audited implements OAuthRecords {
  async find(name: OAuthName): Promise<ReadOAuthRecord | undefined> {
    const item = await this.table.get(oauthKeys.record(name));
    return item && { record: item.data, version: item.version };
  }

  async save(name: OAuthName, record: OAuthRecord): Promise<void> {
    await this.table.put(itemOfRecord(name, record));
  }

  async extend(name: OAuthName, expiresAt: Instant): Promise<void> {
    const read = await this.find(name);
    if (!read) return;
    await this.table.put(itemOfRecord(name, { ...read.record, expires_at: expiresAt }), { version: read.version });
  }

  async remove(name: OAuthName): Promise<void> {
    const read = await this.find(name);
    const grantId = read?.record.grant_id ?? null;
    const writes: TypedWrite[] = [{ remove: oauthKeys.record(name) }];
    if (grantId !== null) writes.push({ remove: oauthKeys.tokenOfGrant(grantId, name) });
    await this.table.transact(writes);
  }

  async grant(grantId: string): Promise<ReadGrant | undefined> {
    const item = await this.table.get(oauthKeys.grant(grantId));
    const account = item && (await this.table.get(accountKeys.account(item.data.account_id)));
    return account?.data.suspended_at ? undefined : item && { app: item.data, version: item.version };
  }

  decide(permit: Permit, { interaction, payload, app, former }: ConsentDecision): Promise<boolean> {
    const { kind, hash, read } = interaction;
    const writes: TypedWrite[] = [
      { put: itemOfRecord({ kind, hash }, { ...read.record, payload }), condition: { version: read.version } },
    ];
    const tell = ({ client_id, account_id }: ConnectedApp, done: ActionOn<'app'>): TypedWrite =>
      this.trail.entry(permit, auditEvent({ kind: 'app', id: client_id, account_id }, done));
    if (former) writes.push(...removalOf(former));
    if (app) {
      writes.push(
        notErased(app.account_id),
        ...grantItems(app).map((put): TypedWrite => ({ put })),
        tell(app, 'connected'),
      );
    }
    if (former && former.account_id !== app?.account_id) writes.push(tell(former, 'disconnected'));
    return this.table.transact(writes);
  }

  issue({ app, version }: ReadGrant, { tokens, consume, used_at }: Issue): Promise<boolean> {
    const writes = tokens.flatMap((token) => tokenWrites(app.grant_id, token));
    if (consume) {
      const { kind, hash, read, used } = consume;
      writes.push({
        put: itemOfRecord({ kind, hash }, used),
        condition: { version: read.version },
      });
    }
    if (used_at === undefined) {
      writes.push({ check: oauthKeys.grant(app.grant_id), condition: { version } });
    } else {
      const [grant, ...lists] = grantItems({ ...app, last_used_at: used_at });
      writes.push({ put: grant, condition: { version } }, ...lists.map((put): TypedWrite => ({ put })));
    }
    return this.table.transact(writes);
  }

  async endGrant(grantId: string): Promise<void> {
    await endGrant(this.table, grantId, (await this.table.get(oauthKeys.grant(grantId)))?.data);
  }

  async hasGrantOf(clientId: string): Promise<boolean> {
    const { items } = await this.table.query({ ...oauthKeys.grantsOfClient(clientId), limit: 1 });
    return items.length > 0;
  }

  async endGrantsOf(clientId: string): Promise<void> {
    for (const app of await allRecords(this.table, oauthKeys.grantsOfClient(clientId))) {
      await endGrant(this.table, app.grant_id, app);
    }
  }
}

const newestFirst = (a: ConnectedApp, b: ConnectedApp): number =>
  a.created_at === b.created_at ? 0 : a.created_at < b.created_at ? 1 : -1;

/** The authorization server's grants as their account's owner sees them. */
export class StoredConnectedApps implements ConnectedApps {
  readonly #table: TypedTable;
  readonly #clock: Clock;
  readonly #trail: AuditTrail;

  constructor({ table, clock, auditTrail }: AuditedParts & { readonly clock: Clock }) {
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
