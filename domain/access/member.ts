import { HOUR_MS, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { plainName } from '../shared/plain-text.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { MemberPrincipal, ShopRole, TokenRole } from './principal.ts';

export const LONGEST_MEMBER_NAME = 100;

/** The maximum number of members of a shop: each request of the console reads them all. */
export const MOST_MEMBERS = 50;

/** A person who runs the shop in the console: an account, with a role of the shop. */
export type Member = {
  readonly account_id: number;
  readonly role: ShopRole;
  /** The name in lists and in the audit log, on one line. */
  readonly name: string;
  readonly added_at: Instant;
};

export const SETUP_HOURS = 24;

/**
 * The operator's offer to become the first member, by a code of which only the SHA-256 hash is stored. It is invalid
 * once the shop has a member. `claimed_at`: a browser began to use it.
 */
export type SetupOffer = { readonly hash: string; readonly expires_at: Instant; readonly claimed_at?: Instant };

/** Milliseconds for which an offer is one browser's, which may have died meanwhile. */
const CLAIM_MS = MINUTE_MS;

export const isClaimed = ({ claimed_at }: SetupOffer, now: Instant): boolean =>
  claimed_at !== undefined && millis(now) < millis(claimed_at) + CLAIM_MS;

export const newSetupOffer = (hash: string, now: Instant): SetupOffer => ({
  hash,
  expires_at: toInstant(millis(now) + SETUP_HOURS * HOUR_MS),
});

export const memberWith = (members: readonly Member[], account_id: number): Member | undefined =>
  members.find((member) => member.account_id === account_id);

export const principalOfMember = (
  { id: session_id, account_id }: { readonly id: number; readonly account_id: number },
  { role, name }: Pick<Member, 'role' | 'name'>,
): MemberPrincipal => ({ kind: 'member', account_id, role, name, session_id });

/** A change of one member: `after` is null when the membership ends. */
export type MemberChange = { readonly before: Member | undefined; readonly after: Member | null };

/** The members after the change, by account. */
export const membersAfter = (members: readonly Member[], account_id: number, after: Member | null): Member[] =>
  [...members.filter((member) => member.account_id !== account_id), ...(after ? [after] : [])].sort(
    (a, b) => a.account_id - b.account_id,
  );

export const NO_MEMBER = refuse('member_not_found', { message: 'That account is no member of this shop.' });

/** A member's name as it is stored. */
export const memberName = (name: string): Outcome<string, 'name_is_empty'> => {
  const named = plainName(name, LONGEST_MEMBER_NAME);
  return named === null
    ? refuse('name_is_empty', { message: 'The name contains no visible characters; choose another.' })
    : ok(named);
};

/** Refuses a new member. */
export const checkNewMember = (
  members: readonly Member[],
  account_id: number,
): Outcome<null, 'member_exists' | 'too_many_members'> => {
  if (memberWith(members, account_id)) {
    return refuse('member_exists', { message: 'That address is a member already; change its role instead.' });
  }
  return members.length < MOST_MEMBERS
    ? ok(null)
    : refuse('too_many_members', { message: `A shop has at most ${MOST_MEMBERS} members.` });
};

/** True if nobody else could add members any more. */
const isLastOwner = (members: readonly Member[], account_id: number): boolean =>
  members.every(({ role, account_id: id }) => (id === account_id) === (role === 'everything'));

const LAST = refuse('last_member', {
  message: 'That is the last member with the role everything; give the role to another member first.',
});

/** The member with another role or name; `unchanged` if it has them already. */
export const changedMember = (
  members: readonly Member[],
  { account_id, role, name }: { readonly account_id: number } & { readonly [N in 'role' | 'name']?: Member[N] | null },
): Outcome<Member | 'unchanged', 'member_not_found' | 'name_is_empty' | 'last_member'> => {
  const member = memberWith(members, account_id);
  if (!member) return NO_MEMBER;
  const named = memberName(name ?? member.name);
  if (!named.ok) return named;
  const changed = { ...member, role: role ?? member.role, name: named.value };
  if (changed.role !== 'everything' && isLastOwner(members, account_id)) return LAST;
  return ok(isSameJson(member, changed) ? 'unchanged' : changed);
};

/** The member whose membership ends. */
export const endedMember = (
  members: readonly Member[],
  account_id: number,
): Outcome<Member, 'member_not_found' | 'last_member'> => {
  const member = memberWith(members, account_id);
  if (!member) return NO_MEMBER;
  return isLastOwner(members, account_id) ? LAST : ok(member);
};

/**
 * Refuses what would take a member's account away, or give it to somebody else: its address opens the console, and its
 * owner runs the shop.
 */
export const checkNoMember = (members: readonly Member[], account_id: number): Outcome<null, 'account_of_member'> =>
  memberWith(members, account_id) === undefined
    ? ok(null)
    : refuse('account_of_member', {
        message: `Account ${account_id} belongs to a member of this shop; "owner remove" ends the membership first.`,
      });

/** Refuses a role below everything what would shut a member out. */
export const checkMayShutOut = (
  role: TokenRole,
  members: readonly Member[],
  account_id: number,
): Outcome<null, 'account_of_member'> => (role === 'everything' ? ok(null) : checkNoMember(members, account_id));
