import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accessTo, seatLimit } from '../../../domain/licensing/access.ts';
import type { TeamPlace } from '../../../domain/licensing/entitlement.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import {
  acceptStep,
  INVITATION_DAYS,
  inviteStep,
  joinedTeams,
  manages,
  movedPlaces,
  movedTeam,
  overUseStep,
  placesAfter,
  removeStep,
  seatsTaken,
  type Team,
  teamView,
} from '../../../domain/teams/team.ts';
import { anEntitlement, aProduct, aSubscription, NOW } from '../../support/builders.ts';

const OWNER = { id: 1, email: 'owner@example.com' };
const NOBODY: Team = { account_id: 1, product_id: 7, people: [] };

const invite = (team: Team, email: string, limit = 2, role: 'member' | 'billing' = 'member', at = NOW): Team => {
  const step = inviteStep(team, limit, OWNER, { id: 10 + team.people.length, email, role }, at);
  if (!step.ok) throw new Error(step.code);
  return step.value?.team ?? team;
};

const accept = (team: Team, id: number, email: string, at = NOW) => acceptStep(team, { id, emails: [email] }, at);

describe('the members of a team', () => {
  test('the owner has a seat, and an invitation holds one until it expires', () => {
    const team = invite(NOBODY, 'a@example.com');
    expect(seatsTaken(team, NOW)).toBe(2);
    expect(inviteStep(team, 2, OWNER, { id: 11, email: 'b@example.com', role: 'member' }, NOW)).toMatchObject({
      code: 'seat_limit_reached',
    });
    const later = addDays(NOW, INVITATION_DAYS);
    expect(seatsTaken(team, later)).toBe(1);
    expect(invite(team, 'b@example.com', 2, 'member', later).people).toMatchObject([{ email: 'b@example.com' }]);
  });

  test('a person who manages seats takes none and can manage only after accepting', () => {
    const team = invite(NOBODY, 'b@example.com', 1, 'billing');
    expect(seatsTaken(team, NOW)).toBe(1);
    expect(manages(team, 2)).toBe(false);
    const accepted = accept(team, 2, 'B@Example.com');
    expect(accepted).toMatchObject({ value: { place: { account_id: 2, role: 'billing' } } });
    expect(accepted.ok && manages(accepted.value.team, 2)).toBe(true);
  });

  test('an open invitation is replaced by a new one to the same email address, and only its account can accept it', () => {
    const first = invite(NOBODY, 'a@example.com');
    const replaced = inviteStep(first, 2, OWNER, { id: 12, email: 'A@EXAMPLE.com', role: 'billing' }, NOW);
    expect(replaced).toMatchObject({ value: { before: { id: 10 }, team: { people: [{ id: 12, role: 'billing' }] } } });
    const team = invite(first, 'A@EXAMPLE.com');
    expect(team.people).toMatchObject([{ id: 11, role: 'member' }]);
    expect(accept(team, 3, 'c@example.com')).toMatchObject({ code: 'invitation_not_found' });
    expect(accept(team, 3, 'a@example.com', addDays(NOW, INVITATION_DAYS))).toMatchObject({ ok: false });
    const accepted = accept(team, 3, 'a@example.com');
    const after = (accepted.ok && accepted.value.team) || NOBODY;
    const again = inviteStep(after, 3, OWNER, { id: 13, email: 'a@example.com', role: 'billing' }, NOW);
    expect(again).toEqual({ ok: true, value: null });
    expect(accept(after, 3, 'new@example.com')).toMatchObject({ value: { team: after, place: { role: 'member' } } });
    expect(accept(invite(after, 'new@example.com', 3), 3, 'new@example.com')).toMatchObject({
      value: { team: { people: [{ email: 'new@example.com', account_id: 3 }] } },
    });
    expect(seatsTaken(after, addDays(NOW, 400))).toBe(2);
  });

  test('the owner can give the seat to another person and take it back while one is free', () => {
    const gave = removeStep(NOBODY, 1, NOW);
    expect(gave).toMatchObject({ team: { gave_up: true }, place: { account_id: 1, role: 'owner' } });
    const team = invite(gave?.team ?? NOBODY, 'a@example.com', 1);
    expect(inviteStep(team, 1, OWNER, { id: 12, email: OWNER.email, role: 'member' }, NOW)).toMatchObject({
      ok: false,
    });
    const back = inviteStep(team, 2, OWNER, { id: 12, email: OWNER.email, role: 'member' }, NOW);
    expect(back).toMatchObject({ value: { place: { account_id: 1, role: null } } });
    expect(back.ok && back.value?.team.gave_up).toBeUndefined();
    expect(removeStep(gave?.team ?? NOBODY, 1, NOW)).toBeNull();
    expect(removeStep(team, 99, NOW)).toBeNull();
  });

  test('a lowered quantity removes nobody, warns the owner and blocks new invitations', () => {
    const team = invite(invite(NOBODY, 'a@example.com', 3), 'b@example.com', 3);
    expect(teamView(team, OWNER, 1, NOW)).toMatchObject({ seats: { used: 3, limit: 1 }, over_used: 2 });
    const step = inviteStep(team, 1, OWNER, { id: 9, email: 'c@example.com', role: 'member' }, NOW);
    expect(step).toMatchObject({ code: 'seat_limit_reached' });
    const billing = { id: 9, email: 'c@example.com', role: 'billing' } as const;
    expect(inviteStep(team, 1, OWNER, billing, NOW)).toMatchObject({ ok: true });
    expect(inviteStep(team, 0, OWNER, billing, NOW)).toMatchObject({ code: 'seat_limit_reached' });
  });

  test('over-use is reported once, and again only after it had ended', () => {
    const team = invite(NOBODY, 'a@example.com');
    const told = overUseStep(team, 1, NOW);
    expect(told).toEqual({ ...team, told_over: true });
    expect([overUseStep(team, 2, NOW), overUseStep(team, 0, NOW), overUseStep(told ?? team, 1, NOW)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(overUseStep(told ?? team, 2, NOW)).toEqual(team);
  });

  test('no sequence of invitations, acceptances and departures exceeds the seats', () => {
    const step = fc.record({
      act: fc.constantFrom('invite', 'billing', 'accept', 'remove', 'owner', 'back'),
      who: fc.nat(5),
      limit: fc.nat(4),
      days: fc.nat(10),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let [team, now] = [NOBODY, NOW];
        for (const { act, who, limit, days } of steps) {
          now = addDays(now, days);
          const email = act === 'back' ? OWNER.email : `${who}@example.com`;
          const before = seatsTaken(team, now);
          const role = act === 'billing' ? 'billing' : 'member';
          if (act === 'accept') {
            const accepted = accept(team, 100 + who, email, now);
            if (accepted.ok) team = accepted.value.team;
            expect(seatsTaken(team, now)).toBeLessThanOrEqual(before);
          } else if (act === 'remove' || act === 'owner') {
            team = removeStep(team, act === 'owner' ? 1 : (team.people[who]?.id ?? 0), now)?.team ?? team;
            expect(seatsTaken(team, now)).toBeLessThanOrEqual(before);
          } else {
            const made = inviteStep(team, limit, OWNER, { id: who, email, role }, now);
            if (made.ok && made.value) team = made.value.team;
            expect(seatsTaken(team, now)).toBeLessThanOrEqual(Math.max(before, limit));
          }
          const emails = team.people.map((one) => one.email);
          expect(new Set(emails).size).toBe(emails.length);
        }
      }),
    );
  });
});

describe('a merge of accounts', () => {
  const person = { id: 5, email: 'a@example.com', role: 'member', invited_at: NOW, account_id: 2 } as const;
  const merge = { from: 2, into: 3 };

  test('merged accounts keep one place in each team, and none in their own', () => {
    const place = (account_id: number) => ({ account_id, product_id: 7, role: 'member' as const });
    expect(movedPlaces(3, [place(9), place(9), place(3), place(2)], merge)).toEqual([place(9)]);
    expect(movedTeam({ ...NOBODY, people: [person] }, merge).people).toEqual([{ ...person, account_id: 3 }]);
    expect(movedTeam({ ...NOBODY, account_id: 2, people: [{ ...person, account_id: 3 }] }, merge)).toEqual({
      ...NOBODY,
      account_id: 3,
    });
  });

  test('merging joins two teams, in which each account has one place', () => {
    const other = { ...person, id: 6, email: 'b@example.com' };
    const open = { ...person, id: 7, email: 'B@example.com', account_id: null };
    const both = joinedTeams({ ...NOBODY, people: [open] }, { ...NOBODY, people: [{ ...open, id: 8 }, other] });
    expect(both.people).toEqual([other]);
    const joined = joinedTeams({ ...NOBODY, people: [person] }, { ...NOBODY, gave_up: true, people: [other] });
    expect(joined).toEqual({ ...NOBODY, gave_up: true, people: [other] });
  });
});

describe('access by seats', () => {
  const SEATS = aProduct({ device_limit: 2, slots: 'persons' });
  const five = anEntitlement({ source_quantity: 5, order_id: 1, order_item_id: 1, grant_type: 'purchase' });
  const more = anEntitlement({ id: 2, source_quantity: 3, order_id: 2, order_item_id: 2, grant_type: 'purchase' });
  const NONE = { entitlements: [], subscriptions: [] };
  const place = (role: TeamPlace['role'], account_id = 9, entitlements = [five]): TeamPlace => ({
    account_id,
    product_id: SEATS.id,
    role,
    holdings: { entitlements, subscriptions: [] },
  });
  const accessOf = (own: (typeof five)[], ...places: TeamPlace[]) =>
    accessTo(SEATS, [], { entitlements: own, subscriptions: [], places }, NOW);

  test('a unit is a seat, and a seat allows the devices of one unit', () => {
    expect(seatLimit(SEATS, [], { entitlements: [five, more], subscriptions: [] }, NOW)).toBe(8);
    const subscribed = { entitlements: [], subscriptions: [aSubscription({ units: { 1: 4 } })] };
    expect(seatLimit(SEATS, [], subscribed, NOW)).toBe(4);
    expect(seatLimit(SEATS, [], NONE, NOW)).toBe(0);
    expect(accessOf([five, more])).toMatchObject({ granted: true, device_limit: 2 });
  });

  test('a member has the access of the team’s account, and a person who only manages seats has none', () => {
    expect(accessOf([], place('member'))).toMatchObject({ granted: true, device_limit: 2 });
    expect(accessOf([], place('billing'))).toMatchObject({ granted: false, reason: 'not_entitled' });
    const revoked = place('member', 9, [anEntitlement({ revoked_at: NOW })]);
    expect(accessOf([], revoked)).toMatchObject({ granted: false, reason: 'entitlement_revoked' });
  });

  test('an owner who gave up the seat has no access but keeps the seats', () => {
    expect(accessOf([five], place('owner', 1))).toMatchObject({ granted: false });
    expect(accessOf([five], place('owner', 1), place('member'))).toMatchObject({ granted: true, device_limit: 2 });
  });

  test('each seat adds its devices, and a place in a team gives no other product', () => {
    expect(accessOf([five], place('member'), place('member', 8))).toMatchObject({ device_limit: 6 });
    expect(accessOf([], { ...place('member'), product_id: 99 })).toMatchObject({ granted: false });
    const devices = aProduct({ device_limit: 2 });
    expect(accessTo(devices, [], { ...NONE, places: [place('member')] }, NOW)).toMatchObject({ granted: false });
  });

  test('a place can be changed or removed only in its own team', () => {
    const other = { account_id: 8, product_id: 7, role: 'member' } as const;
    const places = placesAfter([other], NOBODY, 'billing');
    expect(places).toEqual([other, { account_id: 1, product_id: 7, role: 'billing' }]);
    expect(placesAfter(places, NOBODY, null)).toEqual([other]);
  });
});
