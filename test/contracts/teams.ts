import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { MOST_MEMBERSHIPS, type Person, type Team, type TeamChange } from '../../domain/teams/team.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Teams } from '../../ports/outbound/teams.ts';
import { anAccount } from '../support/account-builders.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();
const [OWNER, MEMBER, PRODUCT] = [1, 2, 4];
const NOBODY: Team = { account_id: OWNER, product_id: PRODUCT, people: [] };
const INVITED: Person = {
  id: 9,
  email: 'buyer-2@example.com',
  role: 'member',
  invited_at: '2026-11-21T08:00:00.000Z',
  account_id: null,
};
const ACCEPTED: Person = { ...INVITED, account_id: MEMBER };

const withPeople = (...people: Person[]): Team => ({ ...NOBODY, people });
const INVITE: TeamChange = { team: withPeople(INVITED), after: INVITED };
const ACCEPT: TeamChange = {
  team: withPeople(ACCEPTED),
  before: INVITED,
  after: ACCEPTED,
  place: { account_id: MEMBER, role: 'member' },
};
const REMOVE: TeamChange = { team: NOBODY, before: ACCEPTED, place: { account_id: MEMBER, role: null } };

/** Registers the tests that every implementation of Teams must pass. `open` returns an empty store for each test. */
export const teamsContract = (
  name: string,
  open: () => Promise<{ teams: Teams; accounts: Accounts }> | { teams: Teams; accounts: Accounts },
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as teams`, { timeout }, () => {
    let teams: Teams;
    let accounts: Accounts;
    beforeEach(async () => {
      ({ teams, accounts } = await open());
      for (const id of [OWNER, MEMBER])
        await accounts.save(PERMIT, anAccount({ id, email: `buyer-${id}@example.com` }));
    }, timeout);

    const read = (product_id = PRODUCT) => teams.read(OWNER, product_id);
    const change = async (to: TeamChange) => teams.change(PERMIT, await read(), to);
    const places = async () => (await accounts.get(MEMBER))?.memberships;

    test('nobody is in an unwritten team, and a written one is found by its account and product', async () => {
      expect(await read()).toEqual({ team: NOBODY, version: null });
      expect(await change(INVITE)).toBe(true);
      expect((await read()).team).toEqual(INVITE.team);
      expect((await read(5)).version).toBeNull();
      expect(await teams.ofAccount(OWNER)).toEqual([INVITE.team]);
      expect(await teams.ofAccount(MEMBER)).toEqual([]);
    });

    test('of ten simultaneous invitations on the same read, one is written', async () => {
      const before = await read();
      const written = await Promise.all(
        Array.from({ length: 10 }, (_, n) => {
          const after = { ...INVITED, id: n };
          return teams.change(PERMIT, before, { team: withPeople(after), after });
        }),
      );
      expect(written.filter((one) => one === true)).toHaveLength(1);
      expect((await read()).team.people).toMatchObject([{ id: written.indexOf(true) }]);
    });

    test('an accepted place is in the profile and in the team, and a removed one in neither', async () => {
      await change(INVITE);
      expect(await change(ACCEPT)).toBe(true);
      expect(await places()).toEqual([{ account_id: OWNER, product_id: PRODUCT, role: 'member' }]);
      expect(await change(REMOVE)).toBe(true);
      expect([await places(), (await read()).team.people]).toEqual([undefined, []]);
    });

    test('of a simultaneous acceptance and removal, the loser writes neither the team nor the profile', async () => {
      for (let round = 0; round < 5; round++) {
        await change(INVITE);
        const before = await read();
        const [accepted, removed] = await Promise.all([
          teams.change(PERMIT, before, ACCEPT),
          teams.change(PERMIT, before, { team: NOBODY, before: INVITED }),
        ]);
        expect(Number(accepted === true) + Number(removed === true)).toBe(1);
        expect((await places())?.length ?? 0).toBe((await read()).team.people.length);
        await change(REMOVE);
      }
    });

    test('an account accepts no more than its maximum of places, and one without a profile none', async () => {
      await change(INVITE);
      const account = (await accounts.get(MEMBER)) ?? anAccount();
      const memberships = Array.from({ length: MOST_MEMBERSHIPS }, (_, n) => {
        return { account_id: 100 + n, product_id: PRODUCT, role: 'member' as const };
      });
      await accounts.revise(PERMIT, account, { ...account, memberships }, []);
      expect(await change(ACCEPT)).toBe('full');
      expect(await change({ ...ACCEPT, place: { account_id: 77, role: 'member' } })).toBe(false);
      expect((await read()).team).toEqual(INVITE.team);
    });
  });
};
