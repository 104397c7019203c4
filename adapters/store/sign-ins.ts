import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import type { DeviceSignIn } from '../../domain/sign-in/device-sign-in.ts';
import type { FormDraft } from '../../domain/sign-in/form-draft.ts';
import { type KnownBrowser, type Place, type Session, sessionEnd } from '../../domain/sign-in/session.ts';
import { keptUntil, type SignInLink, usedLink } from '../../domain/sign-in/sign-in-link.ts';
import type { UpstreamIdentity, UpstreamSignIn } from '../../domain/sign-in/upstream-sign-in.ts';
import type {
  DeviceSignIns,
  Drafts,
  KnownBrowsers,
  ReadDeviceSignIn,
  Sessions,
  SignInLinks,
} from '../../ports/outbound/sign-in.ts';
import type { UpstreamLinks, UpstreamSignIns } from '../../ports/outbound/upstream-provider.ts';
import { expiryAt } from './expiry.ts';
import { signInKeys } from './keys/sign-in.ts';
import { allItems, allRecords, ifUnchanged, itemOf, notErased } from './records.ts';
import { Audited, OnTable } from './repository.ts';

/** A session has an item under its hash, which requests read, and one in its account's partition, for the list. */
const itemsOf = (session: Session) => {
  const expiry = expiryAt(sessionEnd(session));
  return {
    own: itemOf(signInKeys.session(session.hash), session, expiry),
    listed: itemOf(signInKeys.sessionOfAccount(session.account_id, session.id), session, expiry),
  };
};

/** Stores each session until it ends. */
export class StoredSessions extends OnTable implements Sessions {
  async find(hash: string): Promise<Session | undefined> {
    return (await this.table.get(signInKeys.session(hash)))?.data;
  }

  of(account_id: number): Promise<Session[]> {
    return allRecords(this.table, signInKeys.sessions(account_id));
  }

  async add(session: Session): Promise<void> {
    const { own, listed } = itemsOf(session);
    await this.table.transact([notErased(session.account_id), { put: own }, { put: listed }]);
  }

  async touch(session: Session): Promise<void> {
    const { own, listed } = itemsOf(session);
    const there = await this.table.get(signInKeys.session(session.hash));
    if (there) await this.table.transact([{ put: own, condition: { version: there.version } }, { put: listed }]);
  }

  async replace({ hash, account_id, id }: Session, after: Session): Promise<boolean> {
    const [was, is] = [signInKeys.session(hash), itemsOf(after)];
    for (;;) {
      const [item, listed] = await this.table.getMany([was, signInKeys.sessionOfAccount(account_id, id)]);
      if (!item || !listed) return false;
      const written = await this.table.transact([
        { remove: was, condition: { version: item.version } },
        { put: is.own, condition: { absent: true } },
        { put: is.listed, condition: { version: listed.version } },
      ]);
      if (written) return true;
    }
  }

  async end({ hash, account_id, id }: Session): Promise<void> {
    const key = signInKeys.sessionOfAccount(account_id, id);
    for (;;) {
      const listed = await this.table.get(key);
      const hashes = new Set([hash, listed?.data.hash ?? hash]);
      const ended = await this.table.transact([
        ...[...hashes].map((one) => ({ remove: signInKeys.session(one) })),
        listed ? { remove: key, condition: { version: listed.version } } : { check: key, condition: { absent: true } },
      ]);
      if (ended) return;
    }
  }
}

/**
 * Stores each known browser until it is forgotten: an item under its hash, and one in its account's partition, for the
 * list.
 */
export class StoredKnownBrowsers extends OnTable implements KnownBrowsers {
  async find(hash: string): Promise<KnownBrowser | undefined> {
    return (await this.table.get(signInKeys.knownBrowser(hash)))?.data;
  }

  of(account_id: number): Promise<KnownBrowser[]> {
    return allRecords(this.table, signInKeys.knownBrowsers(account_id));
  }

  async save(browser: KnownBrowser): Promise<void> {
    const { hash, account_id, expires_at } = browser;
    await this.table.transact([
      notErased(account_id),
      { put: itemOf(signInKeys.knownBrowser(hash), browser, expiryAt(expires_at)) },
      { put: itemOf(signInKeys.knownBrowserOfAccount(account_id, hash), browser, expiryAt(expires_at)) },
    ]);
  }

  async forget({ hash, account_id }: KnownBrowser): Promise<void> {
    await this.table.transact([
      { remove: signInKeys.knownBrowser(hash) },
      { remove: signInKeys.knownBrowserOfAccount(account_id, hash) },
    ]);
  }
}

/** Stores a draft of each page of an account until it expires. */
export class StoredDrafts extends OnTable implements Drafts {
  of(account_id: number): Promise<FormDraft[]> {
    return allRecords(this.table, signInKeys.drafts(account_id));
  }

  async save(draft: FormDraft): Promise<void> {
    const item = itemOf(signInKeys.draft(draft.account_id, draft.page), draft, expiryAt(draft.expires_at));
    await this.table.transact([notErased(draft.account_id), { put: item }]);
  }
}

/**
 * Stores each one-time link in its account's partition, for the list, until it is used or expires, and under its hash
 * until `keptUntil`.
 */
export class StoredSignInLinks extends Audited implements SignInLinks {
  async find(hash: string): Promise<SignInLink | undefined> {
    return (await this.table.get(signInKeys.link(hash)))?.data;
  }

  of(account_id: number): Promise<SignInLink[]> {
    return allRecords(this.table, signInKeys.links(account_id));
  }

  async save(permit: Permit, link: SignInLink): Promise<void> {
    const { account_id, hash, expires_at } = link;
    const event = auditEvent({ kind: 'account', id: account_id, account_id }, 'link_created');
    const written = await this.table.transact([
      { put: itemOf(signInKeys.link(hash), link, expiryAt(keptUntil(link))), condition: { absent: true } },
      { put: itemOf(signInKeys.linkOfAccount(account_id, hash), link, expiryAt(expires_at)) },
      notErased(account_id),
      this.trail.entry(permit, event),
    ]);
    if (!written)
      throw new Error(
        `The sign-in link of account ${account_id} is there already, or the account was erased meanwhile.`,
      );
  }

  async mail(permit: Permit, account_id: number, place?: Place): Promise<void> {
    const event = auditEvent({ kind: 'account', id: account_id, account_id }, 'link_mailed');
    await this.table.transact([
      notErased(account_id),
      this.trail.entry(permit, event),
      ...this.messageWrites(permit, [messageAbout(place ? 'console_sign_in' : 'sign_in', { account_id })]),
    ]);
  }

  async use({ hash, account_id, expires_at }: SignInLink, by?: SignInLink['used']): Promise<boolean> {
    const key = signInKeys.link(hash);
    const item = await this.table.get(key);
    if (item?.data.expires_at !== expires_at) return false;
    const [used, condition] = [usedLink(item.data, by), { version: item.version }];
    return this.table.transact([
      used ? { put: itemOf(key, used, item.expires_at), condition } : { remove: key, condition },
      { remove: signInKeys.linkOfAccount(account_id, hash) },
    ]);
  }
}

const itemOfSignIn = (signIn: DeviceSignIn) =>
  itemOf(signInKeys.deviceSignIn(signIn.hash), signIn, expiryAt(signIn.expires_at));

/** A device sign-in has an item under the hash of its device code, and the hash of its user code points to it. */
export class StoredDeviceSignIns extends Audited implements DeviceSignIns {
  async find(hash: string): Promise<ReadDeviceSignIn | undefined> {
    const item = await this.table.get(signInKeys.deviceSignIn(hash));
    return item && { ...item.data, version: item.version };
  }

  async findByUserCode(userCodeHash: string): Promise<ReadDeviceSignIn | undefined> {
    const pointer = await this.table.get(signInKeys.userCode(userCodeHash));
    return pointer && this.find(pointer.data.hash);
  }

  add(signIn: DeviceSignIn): Promise<boolean> {
    const { hash, user_code_hash, expires_at } = signIn;
    return this.table.transact([
      { put: itemOfSignIn(signIn), condition: { absent: true } },
      {
        put: itemOf(signInKeys.userCode(user_code_hash), { hash }, expiryAt(expires_at)),
        condition: { absent: true },
      },
    ]);
  }

  replace({ version }: ReadDeviceSignIn, signIn: DeviceSignIn): Promise<boolean> {
    return this.table.put(itemOfSignIn(signIn), { version });
  }

  decide(permit: Permit, { version }: ReadDeviceSignIn, decided: DeviceSignIn): Promise<boolean> {
    const { device, account_id, state } = decided;
    const done = state === 'approved' ? 'approved' : 'denied';
    return this.table.transact([
      { put: itemOfSignIn(decided), condition: { version } },
      this.trail.entry(permit, auditEvent({ kind: 'device_sign_in', id: device.device_id, account_id }, done)),
    ]);
  }

  remove({ hash, user_code_hash, version }: ReadDeviceSignIn): Promise<boolean> {
    return this.table.transact([
      { remove: signInKeys.deviceSignIn(hash), condition: { version } },
      { remove: signInKeys.userCode(user_code_hash) },
    ]);
  }
}

/** Stores each sign-in at the upstream provider until it is finished or expires. */
export class StoredUpstreamSignIns extends OnTable implements UpstreamSignIns {
  async save(signIn: UpstreamSignIn): Promise<void> {
    await this.table.put(itemOf(signInKeys.upstreamSignIn(signIn.hash), signIn, expiryAt(signIn.expires_at)));
  }

  async take(hash: string): Promise<UpstreamSignIn | undefined> {
    const key = signInKeys.upstreamSignIn(hash);
    const item = await this.table.get(key);
    return item && (await this.table.remove(key, { version: item.version })) ? item.data : undefined;
  }
}

/** Stores the account of each identity, until the item in the account's partition is gone or names another identity. */
export class StoredUpstreamLinks extends OnTable implements UpstreamLinks {
  async find(identity: Pick<UpstreamIdentity, 'issuer' | 'subject'>): Promise<number | undefined> {
    return (await this.#read(identity)).account_id;
  }

  async #read({ issuer, subject }: Pick<UpstreamIdentity, 'issuer' | 'subject'>) {
    const key = signInKeys.upstreamLink(issuer, subject);
    const link = await this.table.get(key);
    const own = link && (await this.table.get(signInKeys.upstreamOfAccount(link.data.account_id, issuer)));
    const isLive = own !== undefined && (own.data.link ?? key.pk) === key.pk;
    return { key, version: link?.version ?? null, account_id: isLive ? link?.data.account_id : undefined };
  }

  async isTaken(account_id: number, issuer: string): Promise<boolean> {
    return (await this.table.get(signInKeys.upstreamOfAccount(account_id, issuer))) !== undefined;
  }

  async add(identity: Pick<UpstreamIdentity, 'issuer' | 'subject'>, account_id: number): Promise<boolean> {
    const { key, version, account_id: linked } = await this.#read(identity);
    if (linked !== undefined) return false;
    const own = itemOf(signInKeys.upstreamOfAccount(account_id, identity.issuer), { account_id, link: key.pk });
    return this.table.transact([
      notErased(account_id),
      { put: itemOf(key, { account_id }), condition: ifUnchanged(version) },
      { put: own, condition: { absent: true } },
    ]);
  }

  async count(account_id: number): Promise<number> {
    return (await allRecords(this.table, signInKeys.upstreamsOfAccount(account_id))).length;
  }

  async forget(account_id: number): Promise<void> {
    for await (const item of allItems(this.table, signInKeys.upstreamsOfAccount(account_id))) {
      await this.table.remove(item);
    }
  }
}
