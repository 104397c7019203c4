import type { Account, Membership } from '../accounts/account.ts';
import { isSameAddress } from '../accounts/address.ts';
import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, hasPassed, type Instant } from '../shared/instant.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';

/** The roles of the people whom a team invites: `member` takes a seat, `billing` manages the seats without one. */
export const TEAM_ROLES = ['member', 'billing'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** The maximum number of people in a team, because they are one record. */
export const MOST_PEOPLE = 500;

/** The maximum number of places in teams of one account, because each license check reads one of them. */
export const MOST_MEMBERSHIPS = 20;

/** Days for which an invitation can be accepted. Until then it holds its seat. */
export const INVITATION_DAYS = 14;

export const INVITATIONS_A_DAY: DailyBound = { name: 'invitations', most: 100, what: 'invitations of a team' };

/** A person of a team: invited, or with an account once the invitation was accepted. */
export type Person = {
  readonly id: number;
  /** The invited address, in its canonical form. */
  readonly email: string;
  readonly role: TeamRole;
  readonly invited_at: Instant;
  /** The account that accepted the invitation; null before. */
  readonly account_id: number | null;
};

/** The people who share an account's units of a product, without the account itself. */
export type Team = {
  /** The account whose purchases give the seats. */
  readonly account_id: number;
  readonly product_id: number;
  /** True if the team's own account gave up its seat. */
  readonly gave_up?: true | undefined;
  readonly people: readonly Person[];
  /** True once its account was told that more seats are taken than there are. */
  readonly told_over?: true | undefined;
};

/** True for a person who accepted, or whose invitation still can be accepted. */
const isIn = ({ account_id, invited_at }: Person, now: Instant): boolean =>
  account_id !== null || !hasPassed(addDays(invited_at, INVITATION_DAYS), now);

/** The people of a team, without those whose invitations have expired. */
export const peopleIn = ({ people }: Team, now: Instant): Person[] => people.filter((person) => isIn(person, now));

/** The number of taken seats: that of the team's account, of members, and of invited members. */
export const seatsTaken = (team: Team, now: Instant): number =>
  Number(!team.gave_up) + peopleIn(team, now).filter(({ role }) => role === 'member').length;

/** True for the team's own account and people with the role `billing`, who manage the seats. */
export const manages = ({ account_id, people }: Team, person: number): boolean =>
  person === account_id || people.some((one) => one.account_id === person && one.role === 'billing');

/** A change of a team: its people afterwards, and the person that it adds, changes or removes. */
export type TeamChange = {
  readonly team: Team;
  readonly before?: Person | undefined;
  readonly after?: Person | undefined;
  /** The place that an account has afterwards; null removes its place. Absent if no account's place changes. */
  readonly place?: { readonly account_id: number; readonly role: Membership['role'] | null } | undefined;
};

const fullTeam = (limit: number): Refused<'seat_limit_reached'> =>
  refuse('seat_limit_reached', {
    message: `All seats of this team are taken (${limit}); remove a person, or buy more seats.`,
    ko: `이 팀의 자리 ${limit}개를 모두 사용하고 있습니다. 한 사람을 제외하거나 자리를 더 구매해 주세요.`,
  });

const TOO_MANY = refuse('seat_limit_reached', {
  message: `A team has at most ${MOST_PEOPLE} people; remove one first.`,
  ko: `팀에는 ${MOST_PEOPLE}명까지 있을 수 있습니다. 먼저 한 사람을 제외해 주세요.`,
});

/**
 * Invites an address, or with the address of the team's own account takes its seat back. `limit` is the number of seats.
 * A person who accepted keeps the place; null then means that nothing changes. An open invitation of the address is
 * replaced. Nobody is invited to a seat while all are taken, also if the limit was lowered below the taken ones, and
 * nobody at all to a team without seats.
 */
export const inviteStep = (
  team: Team,
  limit: number,
  owner: Pick<Account, 'email'>,
  invited: Pick<Person, 'id' | 'email' | 'role'>,
  now: Instant,
): Outcome<TeamChange | null, 'seat_limit_reached'> => {
  const isOwner = isSameAddress(invited.email, owner.email);
  const before = peopleIn(team, now).find(({ email }) => isSameAddress(email, invited.email));
  if (isOwner ? !team.gave_up : before && before.account_id !== null) return ok(null);
  const rest = { ...team, people: peopleIn(team, now).filter((one) => one !== before) };
  const takesSeat = isOwner || invited.role === 'member';
  if (limit === 0 || (takesSeat && seatsTaken(rest, now) >= limit)) return fullTeam(limit);
  if (isOwner) {
    const { gave_up: _, ...back } = rest;
    return ok({ team: back, place: { account_id: team.account_id, role: null } });
  }
  if (rest.people.length >= MOST_PEOPLE) return TOO_MANY;
  const after: Person = { ...invited, invited_at: now, account_id: null };
  return ok({ team: { ...rest, people: [...rest.people, after] }, before, after });
};

/** The invitation of an address that can still be accepted; undefined if there is none. */
export const invitationOf = (team: Team, email: string, now: Instant): Person | undefined =>
  peopleIn(team, now).find((one) => one.account_id === null && isSameAddress(one.email, email));

const NO_INVITATION = refuse('invitation_not_found', {
  message: 'This invitation was taken back, has expired, or is for another address; ask for a new one.',
});

/** An account, and the addresses that lead to it: its own, and those of accounts that were merged into it. */
export type Invitee = Pick<Account, 'id'> & { readonly emails: readonly string[] };

/** The open invitation of an account's addresses, or else the place that the account has; undefined if it has neither. */
export const placeFor = (team: Team, { id, emails }: Invitee, now: Instant): Person | undefined =>
  emails.map((email) => invitationOf(team, email, now)).find(Boolean) ??
  team.people.find(({ account_id }) => account_id === id);

/** Accepts an invitation, in place of the account's earlier place. Accepted again, it gives the same place. */
export const acceptStep = (team: Team, account: Invitee, now: Instant): Outcome<TeamChange, 'invitation_not_found'> => {
  const { id } = account;
  const before = placeFor(team, account, now);
  if (!before || id === team.account_id) return NO_INVITATION;
  const after = { ...before, account_id: id };
  const others = team.people.filter((one) => one === before || one.account_id !== id);
  return ok({
    team: { ...team, people: others.map((one) => (one === before ? after : one)) },
    before,
    after,
    place: { account_id: id, role: before.role },
  });
};

/**
 * Removes a person by id, or takes back an invitation. With the id of the team's own account, that gives up its seat.
 * Null if there is no such person any more.
 */
export const removeStep = (team: Team, person_id: number, now: Instant): TeamChange | null => {
  const people = peopleIn(team, now);
  if (person_id === team.account_id) {
    if (team.gave_up) return null;
    return { team: { ...team, gave_up: true, people }, place: { account_id: person_id, role: 'owner' } };
  }
  const before = people.find(({ id }) => id === person_id);
  if (!before) return null;
  const { account_id } = before;
  return {
    team: { ...team, people: people.filter((one) => one !== before) },
    before,
    ...(account_id !== null && { place: { account_id, role: null } }),
  };
};

/** An account's places with that in one team changed; null removes it. */
export const placesAfter = (
  places: readonly Membership[] | undefined,
  { account_id, product_id }: Pick<Team, 'account_id' | 'product_id'>,
  role: Membership['role'] | null,
): Membership[] => [
  ...(places ?? []).filter((one) => one.account_id !== account_id || one.product_id !== product_id),
  ...(role === null ? [] : [{ account_id, product_id, role }]),
];

/**
 * The places of an account after a merge of `from` into `into`. A merged account keeps one place in each team, and is
 * no member itself.
 */
export const movedPlaces = (
  self: number,
  places: readonly Membership[],
  { from, into }: { readonly from: number; readonly into: number },
): Membership[] => {
  const moved = places.map((one) => (one.account_id === from ? { ...one, account_id: into } : one));
  const kept = moved.filter(({ account_id, role }) => account_id !== self || role === 'owner');
  const byTeam = new Map(kept.toReversed().map((one) => [`${one.account_id} ${one.product_id}`, one]));
  return [...byTeam.values()].reverse().slice(0, MOST_MEMBERSHIPS);
};

/** Two teams as one: each account and each invited address keeps one place, and the team's own account has none. */
export const joinedTeams = (team: Team, there: Team): Team => {
  const people = [...there.people, ...team.people]
    .filter(({ account_id }) => account_id !== team.account_id)
    .sort((a, b) => Number(a.account_id === null) - Number(b.account_id === null));
  const isFirst = ({ account_id: id, email }: Person, n: number): boolean =>
    people.findIndex((one) => (id === null ? isSameAddress(one.email, email) : one.account_id === id)) === n;
  return { ...team, ...((team.gave_up ?? there.gave_up) && { gave_up: true }), people: people.filter(isFirst) };
};

/** A team after the merge of the account `from` into `into`. */
export const movedTeam = (team: Team, { from, into }: { readonly from: number; readonly into: number }): Team => {
  const heir = <I extends number | null>(id: I) => (id === from ? into : id);
  const people = team.people.map((one) => ({ ...one, account_id: heir(one.account_id) }));
  const moved = { ...team, account_id: heir(team.account_id), people };
  return joinedTeams(moved, { ...moved, people: [] });
};

/**
 * The team when its account must be told that more seats are taken than there are, or no longer; undefined if nothing
 * changes. Without any seat nothing is over-used: the purchase has ended, and all access with it.
 */
export const overUseStep = (team: Team, limit: number, now: Instant): Team | undefined => {
  const { told_over = false, ...rest } = team;
  const isOver = limit > 0 && seatsTaken(team, now) > limit;
  if (isOver === told_over) return undefined;
  return isOver ? { ...rest, told_over: true } : rest;
};

/**
 * A team as its managers see it. `over_used` counts the seats taken beyond the limit, which happens when a quantity was
 * lowered: nobody loses a seat by it.
 */
export const teamView = (team: Team, owner: Pick<Account, 'email'>, limit: number, now: Instant) => {
  const used = seatsTaken(team, now);
  return {
    product_id: team.product_id,
    owner_id: team.account_id,
    seats: { used, limit },
    over_used: Math.max(0, used - limit),
    people: [
      { id: team.account_id, email: owner.email, role: 'owner' as const, has_seat: !team.gave_up, invited_until: null },
      ...peopleIn(team, now).map(({ id, email, role, account_id, invited_at }) => ({
        id,
        email,
        role,
        has_seat: role === 'member',
        /** The end of an invitation that is not accepted yet; null for a person who accepted. */
        invited_until: account_id === null ? addDays(invited_at, INVITATION_DAYS) : null,
      })),
    ],
  };
};
