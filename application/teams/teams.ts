import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { typedAddress } from '../../domain/accounts/address.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { noSuchProduct, productsGranting, seatLimit } from '../../domain/licensing/access.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import type { Language } from '../../domain/shared/language.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import {
  acceptStep,
  INVITATIONS_A_DAY,
  type Invitee,
  inviteStep,
  MOST_MEMBERSHIPS,
  manages,
  overUseStep,
  placeFor,
  removeStep,
  type TeamChange,
  type TeamRole,
  teamView,
} from '../../domain/teams/team.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadTeam } from '../../ports/outbound/teams.ts';
import { accountMissing, follow } from '../accounts/accounts.ts';
import type { ReleaseSlots } from '../devices/slots.ts';
import type { ReadAccess } from '../licensing/access.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { Clearance } from '../shared/steps.ts';

/** A team as a caller names it: that of an account, or without it the caller's own. */
export type TeamInput = {
  readonly account_id: number;
  readonly product: Product;
  readonly owner_id: number | null;
};

type ReadPorts = Needs<'accounts' | 'catalogs' | 'clock' | 'licenses' | 'links' | 'teams'>;

/** A team with its account and the number of its seats. */
type LedTeam = { readonly read: ReadTeam; readonly owner: Account; readonly limit: number };

/**
 * A team that exists for the caller: of a product with seats, whose account it is, or whose seats it manages. With
 * `leaves` also one in which the caller has a place.
 */
const ledTeam = async (ports: ReadPorts, input: TeamInput, leaves = false): Promise<Outcome<LedTeam, 'not_found'>> => {
  const { accounts, catalogs, clock, licenses, teams } = ports;
  const { account_id, product, owner_id } = input;
  const of = owner_id ?? account_id;
  const { bundles } = await catalogs.current();
  const [read, owner, holdings] = await Promise.all([
    teams.read(of, product.id),
    accounts.get(of),
    licenses.held(of, productsGranting(product.id, bundles), []),
  ]);
  const isOpen = owner && product.slots === 'persons' && (of === account_id || !owner.suspended_at);
  const isIn = leaves && read.team.people.some((one) => one.account_id === account_id);
  if (!owner || !(isIn || (isOpen && manages(read.team, account_id)))) return noSuchProduct();
  const limit = seatLimit(product, bundles, holdings, clock.now());
  // An account that bought nothing has no team, and learns nothing of a product that is not on sale.
  return limit === 0 && read.version === null ? noSuchProduct() : ok({ read, owner, limit });
};

/** A team as its managers and the shop see it, with the page on which invited people accept. */
const viewOf = ({ clock, links }: Needs<'clock' | 'links'>, { read: { team }, owner, limit }: LedTeam) => ({
  ...teamView(team, owner, limit, clock.now()),
  accept_url: links.ownPage(`teams/${owner.id}/${team.product_id}`),
});

export type ShownTeam = ReturnType<typeof viewOf>;

/** A team with its seats, as its managers see it; the `slots` of its product are people. */
export const showTeam = (ports: ReadPorts) =>
  async function showTeam(input: TeamInput) {
    const led = await ledTeam(ports, input);
    return led.ok ? ok(viewOf(ports, led.value)) : led;
  };

type WritePorts = ReadPorts & Needs<'apiKeys' | 'dailyBounds' | 'devices' | 'ids' | 'pauses'>;

/** Writes a change, then the account's keys, where a license check finds its places. False after a conflict. */
const written = async (
  { teams, apiKeys, pauses }: Needs<'apiKeys' | 'pauses' | 'teams'>,
  permit: Permit,
  read: ReadTeam,
  change: TeamChange,
  messages?: Parameters<Needs<'teams'>['teams']['change']>[3],
): Promise<boolean | 'full'> => {
  const isWritten = await teams.change(permit, read, change, messages);
  if (isWritten === true && change.place) await follow({ apiKeys, pauses }, permit, change.place.account_id);
  return isWritten;
};

export type InviteInput = TeamInput & {
  readonly email: string;
  readonly role: TeamRole;
  /** The language of the mail; null for that of the owner. */
  readonly locale: Language | null;
};

type Invited = Outcome<ShownTeam, 'not_found' | 'rate_limited' | 'seat_limit_reached'>;

/**
 * Invites a person by mail to a seat, or to manage the seats; an open invitation is mailed again. The answer does not
 * tell whether the address has an account. A person who accepted keeps the place; the address of the team's account
 * takes back the seat that it gave up. Of concurrent calls, exactly as many get a seat as are free. A team invites at
 * most 100 times a day.
 */
export const inviteToTeam = (ports: WritePorts) =>
  async function inviteToTeam({ role, locale, ...input }: InviteInput) {
    const { clock, dailyBounds, ids, pauses } = ports;
    const email = typedAddress(input.email);
    if (!email.ok) return email;
    const first = await ledTeam(ports, input);
    if (!first.ok) return first;
    const owner_id = first.value.owner.id;
    return async ({ permit }: Pick<Clearance, 'permit'>): Promise<Invited> => {
      const bound = INVITATIONS_A_DAY;
      const count = await dailyBounds.count(permit, bound, String(owner_id), 1, clock.now());
      if (count > bound.most) return dailyBoundReached(bound, clock.now());
      return untilWritten(pauses, async (): Promise<Invited | typeof CONFLICT> => {
        const led = await ledTeam(ports, input);
        if (!led.ok) return led;
        const { read, owner, limit } = led.value;
        const invited = { id: ids.next(), email: email.value, role };
        const step = inviteStep(read.team, limit, owner, invited, clock.now());
        if (!step.ok) return step;
        if (step.value === null) return ok(viewOf(ports, led.value));
        const about = { account_id: owner.id, id: invited.id, product_id: input.product.id };
        const mail = { ...messageAbout('team_invitation', about), email: email.value, locale };
        const isWritten = await written(ports, permit, read, step.value, step.value.after ? [mail] : []);
        return isWritten ? ok(viewOf(ports, { ...led.value, read: { ...read, team: step.value.team } })) : CONFLICT;
      });
    };
  };

/** Mails an account, once for each of its teams, that more seats are taken than there are, as after a lowered quantity. */
export const tellOverUse = async (
  { catalogs, clock, licenses, teams }: Needs<'catalogs' | 'clock' | 'licenses' | 'teams'>,
  permit: Permit,
  account_id: number,
): Promise<void> => {
  const { products, bundles } = await catalogs.current();
  const seated = [...products.values()].filter(({ slots }) => slots === 'persons');
  const led = seated.length === 0 ? [] : await teams.ofAccount(account_id);
  for (const product of seated.filter(({ id }) => led.some(({ product_id }) => product_id === id))) {
    const granting = productsGranting(product.id, bundles);
    const read = await teams.read(account_id, product.id);
    const limit = seatLimit(product, bundles, await licenses.held(account_id, granting, []), clock.now());
    const team = overUseStep(read.team, limit, clock.now());
    const mail = messageAbout('team_over_used', { account_id, product_id: product.id });
    // After a conflict, the next event or the doctor reports it.
    if (team) await teams.change(permit, read, { team }, team.told_over ? [mail] : []);
  }
};

type RemovePorts = Needs<'apiKeys' | 'catalogs' | 'devices' | 'pauses' | 'teams' | 'clock'> & {
  readAccess: ReadAccess;
  releaseSlots: ReleaseSlots;
};

const OWNERS_SEAT = refuse('validation_failed', {
  data: { errors: { person_id: ['Only the owner gives up the seat of the owner.'] } },
});

/**
 * Removes a person by id for a manager of the team, which frees the seat, or takes back an invitation; without an id the
 * caller's own place. The person's devices of the product are released, unless the person may use it otherwise. False
 * if there is no such person.
 */
export const removeFromTeam = (ports: ReadPorts & RemovePorts) =>
  async function removeFromTeam(input: TeamInput & { readonly person_id: number | null }) {
    const { catalogs, clock, devices, pauses, readAccess, releaseSlots, teams } = ports;
    const { account_id: caller, product } = input;
    const led = await ledTeam(ports, input, true);
    if (!led.ok) return led;
    const { read: first, owner } = led.value;
    const own = first.team.people.find(({ account_id }) => account_id === caller)?.id ?? caller;
    const person_id = input.person_id ?? own;
    if (person_id !== own && !manages(first.team, caller)) return noSuchProduct();
    if (person_id === owner.id && owner.id !== caller) return OWNERS_SEAT;
    return async ({ permit }: Pick<Clearance, 'permit'>) => {
      const removed = await untilWritten(pauses, async () => {
        const read = await teams.read(owner.id, product.id);
        const step = removeStep(read.team, person_id, clock.now());
        return step === null || (await written(ports, permit, read, step)) ? step : CONFLICT;
      });
      const account_id = removed?.place?.account_id;
      if (account_id === undefined || (await readAccess(account_id, product, await catalogs.current())).granted)
        return ok({ removed: removed !== null });
      for (let after: string | null = null; ; ) {
        const page = await devices.page(account_id, product.id, { limit: 100, after });
        for (const { device_id } of page.devices)
          await releaseSlots.ofProduct(permit, account_id, product.id, device_id);
        after = page.next;
        if (after === null) return ok({ removed: true });
      }
    };
  };

export type AcceptInput = { readonly account_id: number; readonly owner_id: number; readonly product_id: number };

/** An account with the addresses that lead to it; undefined if it was erased. */
const inviteeOf = async ({ accounts }: Needs<'accounts'>, account_id: number): Promise<Invitee | undefined> => {
  const account = await accounts.get(account_id);
  const { email = '', former_emails = [] } = account ?? {};
  const owners = await Promise.all(former_emails.map((one) => accounts.findByEmail(one)));
  return (
    account && { id: account_id, emails: [email, ...former_emails.filter((_, n) => owners[n]?.id === account_id)] }
  );
};

type InvitationPorts = Needs<'accounts' | 'catalogs' | 'clock' | 'teams'>;

/** The invitation of an account to a team, also an accepted one; undefined if there is none. */
export const findInvitation = ({ accounts, catalogs, clock, teams }: InvitationPorts) =>
  async function findInvitation({ account_id, owner_id, product_id }: AcceptInput) {
    const [{ products }, account, owner, { team }] = await Promise.all([
      catalogs.current(),
      inviteeOf({ accounts }, account_id),
      accounts.get(owner_id),
      teams.read(owner_id, product_id),
    ]);
    const product = products.get(product_id);
    const person = account && placeFor(team, account, clock.now());
    return product && owner && person && { product, from: owner.email, role: person.role };
  };

type Accepted = Outcome<null, 'account_not_found' | 'invitation_not_found' | 'too_many_teams'>;

/**
 * Accepts an invitation with the account of the invited address. Repeating an interrupted call completes it. An account
 * has at most 20 places in teams.
 */
export const acceptInvitation = (ports: Needs<'accounts' | 'apiKeys' | 'clock' | 'pauses' | 'teams'>) =>
  async function acceptInvitation(permit: Permit, { account_id, owner_id, product_id }: AcceptInput) {
    const { clock, pauses, teams } = ports;
    return untilWritten(pauses, async (): Promise<Accepted | typeof CONFLICT> => {
      const [account, read] = await Promise.all([inviteeOf(ports, account_id), teams.read(owner_id, product_id)]);
      if (!account) return accountMissing(account_id);
      const step = acceptStep(read.team, account, clock.now());
      if (!step.ok) return step;
      const isWritten = await written(ports, permit, read, step.value);
      return isWritten === 'full' ? TOO_MANY : isWritten ? ok(null) : CONFLICT;
    });
  };

const TOO_MANY: Refused<'too_many_teams'> = refuse('too_many_teams', {
  message: `You are in ${MOST_MEMBERSHIPS} teams, the most that an account may be in; leave one first.`,
});

/** The teams of an account: those of its purchases, and those in which it has a place. */
export const listTeams = (ports: ReadPorts) =>
  async function listTeams(account_id: number) {
    const { accounts, catalogs, clock, licenses, teams } = ports;
    const [{ products, bundles }, owner, holdings, led] = await Promise.all([
      catalogs.current(),
      accounts.get(account_id),
      licenses.held(account_id, undefined, []),
      teams.ofAccount(account_id),
    ]);
    if (!owner) return accountMissing(account_id);
    const own = [...products.values()].flatMap((product) => {
      const there = led.find(({ product_id }) => product_id === product.id);
      const limit = product.slots === 'persons' ? seatLimit(product, bundles, holdings, clock.now()) : 0;
      if (product.slots !== 'persons' || (limit === 0 && !there)) return [];
      const team = there ?? { account_id, product_id: product.id, people: [] };
      return [{ product, ...viewOf(ports, { read: { team, version: null }, owner, limit }) }];
    });
    const places = (owner.memberships ?? []).filter(({ role }) => role !== 'owner');
    const joined = await Promise.all(
      places.map(async ({ account_id: owner_id, product_id, role }) => {
        const [product, of] = [products.get(product_id), await accounts.get(owner_id)];
        return { product, product_id, owner_id, owner_email: of?.email ?? null, role };
      }),
    );
    return ok({ own, joined });
  };

export type ListedTeams = Extract<Awaited<ReturnType<ReturnType<typeof listTeams>>>, { ok: true }>['value'];
