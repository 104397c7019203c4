import { isClaimed, type MemberChange, membersAfter, type SetupOffer } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, savedEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Members, ReadMembers } from '../../ports/outbound/access.ts';
import { expiryAt } from './expiry.ts';
import { accessKeys } from './keys/access.ts';
import { ifUnchanged, itemOf, notErased } from './records.ts';
import { Audited } from './repository.ts';

/** All members are one item, so that of two changes one sees the other: the last owner stays, and one setup wins. */
export class StoredMembers extends Audited implements Members {
  async read(): Promise<ReadMembers> {
    const item = await this.table.get(accessKeys.members);
    return { members: item?.data.members ?? [], version: item?.version ?? null };
  }

  async change(permit: Permit, { members, version }: ReadMembers, { before, after }: MemberChange): Promise<boolean> {
    const { account_id } = (after ?? before) as { readonly account_id: number };
    const subject = { kind: 'member', id: account_id, account_id } as const;
    const put = itemOf(accessKeys.members, { members: membersAfter(members, account_id, after) });
    return this.table.transact([
      { put, condition: ifUnchanged(version) },
      ...(after ? [notErased(account_id)] : []),
      this.trail.entry(
        permit,
        after ? savedEvent(subject, before, after) : auditEvent(subject, 'removed', before, undefined),
      ),
    ]);
  }

  async setup(): Promise<SetupOffer | undefined> {
    return (await this.table.get(accessKeys.setup))?.data;
  }

  async claimSetup(_permit: Permit, at: Instant | null): Promise<boolean> {
    const item = await this.table.get(accessKeys.setup);
    if (!item || (at !== null && isClaimed(item.data, at))) return false;
    const offer = { ...item.data, claimed_at: at ?? undefined };
    return this.table.put(itemOf(accessKeys.setup, offer, item.expires_at), { version: item.version });
  }

  async offerSetup(_permit: Permit, offer: SetupOffer): Promise<void> {
    await this.table.put(itemOf(accessKeys.setup, offer, expiryAt(offer.expires_at)));
  }
}
