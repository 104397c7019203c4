import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, savedEvent } from '../../domain/audit/event.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import { MOST_MEMBERSHIPS, placesAfter, type Team, type TeamChange } from '../../domain/teams/team.ts';
import type { ReadTeam, Teams } from '../../ports/outbound/teams.ts';
import { accountKeys } from './keys/accounts.ts';
import { licensingKeys } from './keys/licensing.ts';
import { allRecords, ifUnchanged, itemOf, notErased } from './records.ts';
import { Audited } from './repository.ts';
import type { TypedWrite } from './typed-table.ts';

const OWNER = { role: 'owner' } as const;

/**
 * A team is one item of its account, so of two changes one sees the other and no seat is given twice. An accepted place
 * is also in the profile of the person's account, by the same transaction: a license check decides by that.
 */
export class StoredTeams extends Audited implements Teams {
  async read(account_id: number, product_id: number): Promise<ReadTeam> {
    const item = await this.table.get(licensingKeys.team(account_id, product_id));
    return { team: item?.data ?? { account_id, product_id, people: [] }, version: item?.version ?? null };
  }

  ofAccount(account_id: number): Promise<Team[]> {
    return allRecords(this.table, licensingKeys.teams(account_id));
  }

  async change(
    permit: Permit,
    { version }: ReadTeam,
    { team, before, after, place }: TeamChange,
    messages: NewMessages = [],
  ): Promise<boolean | 'full'> {
    const { account_id, product_id } = team;
    const writes: TypedWrite[] = [];
    if (place) {
      const key = accountKeys.account(place.account_id);
      const profile = await this.table.get(key);
      const memberships = placesAfter(profile?.data.memberships, team, place.role);
      if (memberships.length > MOST_MEMBERSHIPS) return 'full';
      // An account that was erased meanwhile has no place to take.
      if (profile) {
        const { memberships: _, ...rest } = profile.data;
        const data = { ...rest, ...(memberships.length > 0 && { memberships }) };
        writes.push({ put: itemOf(key, data), condition: { version: profile.version } });
      } else if (place.role !== null) return false;
    }
    const subject = { kind: 'seat', id: (after ?? before)?.id ?? account_id, account_id, product_id } as const;
    const same = after || place || version === null ? undefined : OWNER;
    const isGone = after === undefined && (before !== undefined || place?.role === 'owner');
    return this.table.transact([
      { put: itemOf(licensingKeys.team(account_id, product_id), team), condition: ifUnchanged(version) },
      notErased(account_id),
      this.trail.entry(
        permit,
        isGone ? auditEvent(subject, 'removed', before) : savedEvent(subject, before ?? same, after ?? OWNER),
      ),
      ...this.messageWrites(permit, messages),
      ...writes,
    ]);
  }
}
