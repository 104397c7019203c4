import type { Permit } from '../../domain/access/permit.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { Team, TeamChange } from '../../domain/teams/team.ts';

/** A team as read; the version is null if nobody was invited yet. */
export type ReadTeam = { readonly team: Team; readonly version: string | null };

/** The people who share the units of an account's purchases of a product. */
export interface Teams {
  read(account_id: number, product_id: number): Promise<ReadTeam>;
  /** The teams of an account, by product. */
  ofAccount(account_id: number): Promise<Team[]>;
  /**
   * Writes a changed team with its messages, and the place of an account that the change gives or takes. Returns false
   * and writes nothing if the team or that account has changed since the read, or the team's account was erased.
   * `full` if the account has its maximum of places (`MOST_MEMBERSHIPS`).
   */
  change(permit: Permit, read: ReadTeam, change: TeamChange, messages?: NewMessages): Promise<boolean | 'full'>;
}
