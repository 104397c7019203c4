import type { Permit } from '../../domain/access/permit.ts';
import type { DoneTo } from '../../domain/audit/actions.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import { grantEnd } from '../../domain/sign-in/oauth-grant.ts';
import type {
  Decided,
  Issue,
  NamedOAuthRecord,
  OAuthName,
  OAuthRecord,
  OAuthRecords,
  ReadGrant,
  ReadOAuthRecord,
} from '../../ports/outbound/oauth-records.ts';
import type { Audited, AuditTrail } from './audit-trail.ts';
import { endGrant } from './end-grant.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { accountKeys } from './keys/accounts.ts';
import { oauthKeys } from './keys/oauth.ts';
import { notErased } from './not-erased.ts';
import { allRecords } from './records.ts';
import type { KeyOf, NewItem, Table, Write } from './table.ts';

const itemOfRecord = (name: OAuthName, record: OAuthRecord): NewItem =>
  itemOf(oauthKeys.record(name), record, expiryAt(record.expires_at));

/** A grant with its entries on the lists of its account and its client. */
const grantItems = (app: ConnectedApp): readonly [NewItem, NewItem, NewItem] => {
  const { grant_id, account_id, client_id } = app;
  const { grant, app: ofAccount, grantOfClient } = oauthKeys;
  const item = (key: KeyOf<ConnectedApp>): NewItem => itemOf(key, app, expiryAt(grantEnd(app)));
  return [item(grant(grant_id)), item(ofAccount(account_id, grant_id)), item(grantOfClient(client_id, grant_id))];
};

/** Without its grant, a code that was issued meanwhile opens nothing. */
const removalOf = ({ grant_id, account_id, client_id }: ConnectedApp): Write[] => [
  { remove: oauthKeys.grant(grant_id) },
  { remove: oauthKeys.grantOfClient(client_id, grant_id) },
  { remove: oauthKeys.app(account_id, grant_id) },
];

/** A token, and its name among the tokens of its grant. */
const tokenWrites = (grantId: string, { kind, hash, record }: NamedOAuthRecord): Write[] => [
  { put: itemOfRecord({ kind, hash }, record), condition: { absent: true } },
  {
    put: itemOf(oauthKeys.tokenOfGrant(grantId, { kind, hash }), { kind, hash }, expiryAt(record.expires_at)),
    condition: { absent: true },
  },
];

/** Keeps each record under the hash of its id. A token is written only on the condition that its grant is there. */
export class StoredOAuthRecords implements OAuthRecords {
  readonly #table: Table;
  readonly #trail: AuditTrail;

  constructor({ table, auditTrail }: Audited) {
    this.#table = table;
    this.#trail = auditTrail;
  }

  async find(name: OAuthName): Promise<ReadOAuthRecord | undefined> {
    const item = await this.#table.get(oauthKeys.record(name));
    return item && { record: item.data, version: item.version };
  }

  async save(name: OAuthName, record: OAuthRecord): Promise<void> {
    await this.#table.put(itemOfRecord(name, record));
  }

  async extend(name: OAuthName, expiresAt: Instant): Promise<void> {
    const read = await this.find(name);
    if (!read) return;
    await this.#table.put(itemOfRecord(name, { ...read.record, expires_at: expiresAt }), { version: read.version });
  }

  async remove(name: OAuthName): Promise<void> {
    const read = await this.find(name);
    const grantId = read?.record.grant_id ?? null;
    const writes: Write[] = [{ remove: oauthKeys.record(name) }];
    if (grantId !== null) writes.push({ remove: oauthKeys.tokenOfGrant(grantId, name) });
    await this.#table.transact(writes);
  }

  async grant(grantId: string): Promise<ReadGrant | undefined> {
    const item = await this.#table.get(oauthKeys.grant(grantId));
    const account = item && (await this.#table.get(accountKeys.account(item.data.account_id)));
    return account?.data.suspended_at ? undefined : item && { app: item.data, version: item.version };
  }

  decide(permit: Permit, { interaction, payload, app, former }: Decided): Promise<boolean> {
    const { kind, hash, read } = interaction;
    const writes: Write[] = [
      { put: itemOfRecord({ kind, hash }, { ...read.record, payload }), condition: { version: read.version } },
    ];
    const tell = ({ client_id, account_id }: ConnectedApp, done: DoneTo<'app'>): Write =>
      this.#trail.entry(permit, auditEvent({ kind: 'app', id: client_id, account_id }, done));
    if (former) writes.push(...removalOf(former));
    if (app) {
      writes.push(notErased(app.account_id), ...grantItems(app).map((put): Write => ({ put })), tell(app, 'connected'));
    }
    if (former && former.account_id !== app?.account_id) writes.push(tell(former, 'disconnected'));
    return this.#table.transact(writes);
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
      writes.push({ put: grant, condition: { version } }, ...lists.map((put): Write => ({ put })));
    }
    return this.#table.transact(writes);
  }

  async endGrant(grantId: string): Promise<void> {
    await endGrant(this.#table, grantId, (await this.#table.get(oauthKeys.grant(grantId)))?.data);
  }

  async hasGrantOf(clientId: string): Promise<boolean> {
    const { items } = await this.#table.query({ ...oauthKeys.grantsOfClient(clientId), limit: 1 });
    return items.length > 0;
  }

  async endGrantsOf(clientId: string): Promise<void> {
    for (const app of await allRecords(this.#table, oauthKeys.grantsOfClient(clientId))) {
      await endGrant(this.#table, app.grant_id, app);
    }
  }
}
