import type { Permit } from '../../domain/access/permit.ts';
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
import { endGrant } from './end-grant.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { oauthKeys } from './keys/oauth.ts';
import type { NewItem, Table, Write } from './table.ts';

const itemOfRecord = (name: OAuthName, record: OAuthRecord): NewItem =>
  itemOf(oauthKeys.record(name), record, expiryAt(record.expires_at));

const grantItem = (app: ConnectedApp): NewItem => itemOf(oauthKeys.grant(app.grant_id), app, expiryAt(grantEnd(app)));

const appItem = (app: ConnectedApp): NewItem =>
  itemOf(oauthKeys.app(app.account_id, app.grant_id), app, expiryAt(grantEnd(app)));

/** Without its grant, a code that was issued meanwhile opens nothing. */
const removalOf = ({ grant_id, account_id }: ConnectedApp): Write[] => [
  { remove: oauthKeys.grant(grant_id) },
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

  constructor(table: Table) {
    this.#table = table;
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
    return item && { app: item.data, version: item.version };
  }

  decide(_permit: Permit, { interaction, payload, app, former }: Decided): Promise<boolean> {
    const { kind, hash, read } = interaction;
    const writes: Write[] = [
      { put: itemOfRecord({ kind, hash }, { ...read.record, payload }), condition: { version: read.version } },
    ];
    if (former) writes.push(...removalOf(former));
    if (app) writes.push(...[grantItem(app), appItem(app)].map((put): Write => ({ put })));
    return this.#table.transact(writes);
  }

  issue({ app, version }: ReadGrant, { tokens, consume, used_at }: Issue): Promise<boolean> {
    const writes = tokens.flatMap((token) => tokenWrites(app.grant_id, token));
    if (consume) {
      const { kind, hash, read, at } = consume;
      writes.push({
        put: itemOfRecord({ kind, hash }, { ...read.record, consumed_at: at }),
        condition: { version: read.version },
      });
    }
    if (used_at === undefined) {
      writes.push({ check: oauthKeys.grant(app.grant_id), condition: { version } });
    } else {
      const used: ConnectedApp = { ...app, last_used_at: used_at };
      writes.push({ put: grantItem(used), condition: { version } }, { put: appItem(used) });
    }
    return this.#table.transact(writes);
  }

  async endGrant(grantId: string): Promise<void> {
    const grant = await this.grant(grantId);
    await endGrant(this.#table, grantId, grant?.app.account_id);
  }
}
