import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, type Subject } from '../../domain/audit/event.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Passkey, PasskeyChallenge } from '../../domain/sign-in/passkey.ts';
import type { PasskeyChallenges, Passkeys } from '../../ports/outbound/passkeys.ts';
import { expiryAt } from './expiry.ts';
import { passkeyHash, signInKeys } from './keys/sign-in.ts';
import { allRecords, itemOf, notErased } from './records.ts';
import { Audited, OnTable } from './repository.ts';

/** The audit log names a passkey by a hash, because the id could identify a person elsewhere. */
const subjectOf = ({ id, account_id }: Passkey): Subject => ({ kind: 'passkey', id: passkeyHash(id), account_id });

/** A passkey is stored with its account; an item under its id points to the account. */
export class StoredPasskeys extends Audited implements Passkeys {
  of(account_id: number): Promise<Passkey[]> {
    return allRecords(this.table, signInKeys.passkeys(account_id));
  }

  async find(id: string): Promise<Passkey | undefined> {
    const owner = await this.table.get(signInKeys.passkeyOwner(id));
    return owner && (await this.table.get(signInKeys.passkey(owner.data.account_id, id)))?.data;
  }

  add(permit: Permit, passkey: Passkey, messages: NewMessages): Promise<boolean> {
    const { id, account_id } = passkey;
    return this.table.transact([
      notErased(account_id),
      { put: itemOf(signInKeys.passkeyOwner(id), { account_id }), condition: { absent: true } },
      { put: itemOf(signInKeys.passkey(account_id, id), passkey), condition: { absent: true } },
      this.trail.entry(permit, auditEvent(subjectOf(passkey), 'created')),
      ...this.messageWrites(permit, messages),
    ]);
  }

  async use(read: Passkey, used: Passkey): Promise<boolean> {
    const key = signInKeys.passkey(read.account_id, read.id);
    const item = await this.table.get(key);
    if (!item || !isSameJson(item.data, read)) return false;
    return this.table.put(itemOf(key, used), { version: item.version });
  }

  async remove(permit: Permit, passkey: Passkey, messages: NewMessages): Promise<boolean> {
    const { id, account_id } = passkey;
    const item = await this.table.get(signInKeys.passkey(account_id, id));
    if (!item) return false;
    return this.table.transact([
      { remove: signInKeys.passkey(account_id, id), condition: { version: item.version } },
      { remove: signInKeys.passkeyOwner(id) },
      this.trail.entry(permit, auditEvent(subjectOf(passkey), 'revoked')),
      ...this.messageWrites(permit, messages),
    ]);
  }
}

/** Stores each challenge until it is answered or expires. */
export class StoredPasskeyChallenges extends OnTable implements PasskeyChallenges {
  async keep(challenge: PasskeyChallenge): Promise<void> {
    const key = signInKeys.passkeyChallenge(challenge.bound_to);
    await this.table.put(itemOf(key, challenge, expiryAt(challenge.expires_at)));
  }

  async take(boundTo: string): Promise<PasskeyChallenge | undefined> {
    const key = signInKeys.passkeyChallenge(boundTo);
    const item = await this.table.get(key);
    return item && (await this.table.remove(key, { version: item.version })) ? item.data : undefined;
  }
}
