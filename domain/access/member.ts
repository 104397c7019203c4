import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { plainName } from '../shared/plain-text.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { Session } from '../sign-in/session.ts';
import type { MemberPrincipal, ShopRole } from './principal.ts';

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

export const memberWith = (members: readonly Member[], account_id: number): Member | undefined =>
  members.find((member) => member.account_id === account_id);

export const principalOfMember = (
  { id: session_id, account_id }: Pick<Session, 'id' | 'account_id'>,
  { role, name }: Pick<Member, 'role' | 'name'>,
): MemberPrincipal => ({ kind: 'member', account_id, role, name, session_id });

/** A change of one member: `after` is null when the membership ends. */
export type MemberChange = { readonly before: Member | undefined; readonly after: Member | null };

/** The members after the change, by account. */
export const membersAfter = (members: readonly Member[], account_id: number, after: Member | null): Member[] =>
  [...members.filter((member) => member.account_id !== account_id), ...(after ? [after] : [])].sort(
    (a, b) => a.account_id - b.account_id,
  );

const MISSING = refuse('member_not_found', { message: 'That account is no member of this shop.' });

/** A new member. The account keeps its first role and name until they are changed. */
export const newMember = (
  members: readonly Member[],
  { name, ...input }: Omit<Member, 'added_at'>,
  now: Instant,
): Outcome<Member, 'name_is_empty' | 'member_exists' | 'too_many_members'> => {
  const named = plainName(name, LONGEST_MEMBER_NAME);
  if (named === null) return EMPTY;
  if (memberWith(members, input.account_id)) {
    return refuse('member_exists', { message: 'That address is a member already; change its role instead.' });
  }
  if (members.length >= MOST_MEMBERS) {
    return refuse('too_many_members', { message: `A shop has at most ${MOST_MEMBERS} members.` });
  }
  return ok({ ...input, name: named, added_at: now });
};

const EMPTY = refuse('name_is_empty', { message: 'The name contains no visible characters; choose another.' });

/** True if nobody else could add members any more. */
const isLastOwner = (members: readonly Member[], account_id: number): boolean =>
  members.every(({ role, account_id: id }) => (id === account_id) === (role === 'everything'));

const LAST = refuse('last_member', {
  message: 'That is the last member with the role everything; give the role to another member first.',
});

/** The member with another role or name; `unchanged` if it has them already. */
export const changedMember = (
  members: readonly Member[],
  { account_id, role, name }: { readonly account_id: number; readonly role?: ShopRole; readonly name?: string },
): Outcome<Member | 'unchanged', 'member_not_found' | 'name_is_empty' | 'last_member'> => {
  const member = memberWith(members, account_id);
  if (!member) return MISSING;
  const named = name === undefined ? member.name : plainName(name, LONGEST_MEMBER_NAME);
  if (named === null) return EMPTY;
  const changed = { ...member, role: role ?? member.role, name: named };
  if (changed.role !== 'everything' && isLastOwner(members, account_id)) return LAST;
  return ok(isSameJson(member, changed) ? 'unchanged' : changed);
};

/** The member whose membership ends. Only the operator's command may end the last one (`evenLast`). */
export const endedMember = (
  members: readonly Member[],
  account_id: number,
  evenLast = false,
): Outcome<Member, 'member_not_found' | 'last_member'> => {
  const member = memberWith(members, account_id);
  if (!member) return MISSING;
  return !evenLast && isLastOwner(members, account_id) ? LAST : ok(member);
};
