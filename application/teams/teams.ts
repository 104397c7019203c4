import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { typedAddress } from '../../domain/accounts/address.ts';
import { newestOrdersFirst, type Order } from '../../domain/billing/order.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { noSuchProduct, productsGranting, seatLimit } from '../../domain/licensing/access.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import type { Language } from '../../domain/shared/language.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import {
  acceptStep,
  INVITATIONS_A_DAY,
  invitationOf,
  inviteStep,
  MOST_MEMBERSHIPS,
  manages,
  type Person,
  removeStep,
  type TeamChange,
  type TeamRole,
  teamView,
} from '../../domain/teams/team.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadTeam } from '../../ports/outbound/teams.ts';
import { follow } from '../accounts/accounts.ts';
import type { ReleaseSlots } from '../devices/slots.ts';
import type { ReadAccess } from '../licensing/access.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { Clearance } from '../shared/steps.ts';

/** The number of a team's newest orders that its managers see. */
const ORDERS_SHOWN = 20;

/** A team as a caller names it: that of an account, or without it the caller's own. */
export type TeamInput = {
  readonly account_id: number;
  readonly product: Product;
  readonly owner_id: number | null;
};

type ReadPorts = Needs<'accounts' | 'catalogs' | 'clock' | 'licenses' | 'orders' | 'teams'>;

/** A team with its account and the number of its seats. */
type LedTeam = { readonly read: ReadTeam; readonly owner: Account; readonly limit: number };

/** A team that exists for the caller: of a product with seats, whose account it is, or whose seats it manages. */
const ledTeam = async (ports: ReadPorts, input: TeamInput): Promise<Outcome<LedTeam, 'not_found'>> => {
  const { accounts, catalogs, clock, licenses, teams } = ports;
  const { account_id, product, owner_id } = input;
  const of = owner_id ?? account_id;
  const { bundles } = await catalogs.current();
  const [read, owner, holdings] = await Promise.all([
    teams.read(of, product.id),
    accounts.get(of),
    licenses.held(of, productsGranting(product.id, bundles), []),
  ]);
  const isOpen = owner !== undefined && (of === account_id || !owner.suspended_at);
  if (product.slots !== 'persons' || !isOpen || !manages(read.team, account_id)) return noSuchProduct();
  const limit = seatLimit(product, bundles, holdings, clock.now());
  // An account that bought nothing has no team, and learns nothing of a product that is not on sale.
  return limit === 0 && read.version === null ? noSuchProduct() : ok({ read, owner, limit });
};

/** The newest orders with the product, or a bundle with it. */
const ordersOf = (orders: readonly Order[], granting: readonly number[]) =>
  newestOrdersFirst(orders)
    .map(({ items, ...order }) => ({ ...order, items: items.filter((one) => granting.includes(one.product_id ?? 0)) }))
    .filter(({ items }) => items.length > 0)
    .slice(0, ORDERS_SHOWN)
    .map(({ id, number, status, ordered_at, items }) => ({
      id,
      number,
      status,
      ordered_at,
      quantity: items.reduce((sum, { quantity }) => sum + quantity, 0),
    }));

/** A team of a product whose `slots` are persons, with its seats and the orders that gave them, for its managers. */
export const showTeam = (ports: ReadPorts) =>
  async function showTeam(input: TeamInput) {
    const [led, { bundles }, orders] = await Promise.all([
      ledTeam(ports, input),
      ports.catalogs.current(),
      ports.orders.ofAccount(input.owner_id ?? input.account_id),
    ]);
    if (!led.ok) return led;
    const { read, owner, limit } = led.value;
    return ok({
      ...teamView(read.team, owner, limit, ports.clock.now()),
      orders: ordersOf(orders, productsGranting(input.product.id, bundles)),
    });
  };

export type ShownTeam = Extract<Awaited<ReturnType<ReturnType<typeof showTeam>>>, { ok: true }>['value'];

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
  /** The language of the mail. */
  readonly locale: Language;
};

type TeamView = ReturnType<typeof teamView>;

type InviteRefusal = 'not_found' | 'rate_limited' | 'seat_limit_reached';

/**
 * Invites a person by mail to a seat, or to manage the seats. The answer does not tell whether the address has an
 * account. An address that is in the team already changes nothing; the address of the team's account takes back the
 * seat that it gave up. Of concurrent calls, exactly as many get a seat as are free. A team invites at most 100 times a
 * day.
 */
export const inviteToTeam = (ports: WritePorts) =>
  async function inviteToTeam(input: InviteInput) {
    const { clock, dailyBounds, ids, pauses } = ports;
    const email = typedAddress(input.email);
    if (!email.ok) return email;
    const first = await ledTeam(ports, input);
    if (!first.ok) return first;
    const owner_id = first.value.owner.id;
    return async ({ permit }: Pick<Clearance, 'permit'>): Promise<Outcome<TeamView, InviteRefusal>> => {
      const bound = INVITATIONS_A_DAY;
      const count = await dailyBounds.count(permit, bound, String(owner_id), 1, clock.now());
      if (count > bound.most) return dailyBoundReached(bound, clock.now());
      return untilWritten(pauses, async (): Promise<Outcome<TeamView, InviteRefusal> | typeof CONFLICT> => {
        const led = await ledTeam(ports, input);
        if (!led.ok) return led;
        const { read, owner, limit } = led.value;
        const invited = { id: ids.next(), email: email.value, role: input.role };
        const step = inviteStep(read.team, limit, owner, invited, clock.now());
        if (!step.ok) return step;
        const now = clock.now();
        if (step.value === null) return ok(teamView(read.team, owner, limit, now));
        const about = messageAbout('team_invitation', {
          account_id: owner.id,
          id: invited.id,
          product_id: input.product.id,
        });
        const mails = step.value.after ? [{ ...about, email: email.value, locale: input.locale }] : [];
        const isWritten = await written(ports, permit, read, step.value, mails);
        return isWritten ? ok(teamView(step.value.team, owner, limit, now)) : CONFLICT;
      });
    };
  };

type RemovePorts = Needs<'apiKeys' | 'catalogs' | 'devices' | 'pauses' | 'teams' | 'clock'> & {
  readAccess: ReadAccess;
  releaseSlots: ReleaseSlots;
};

/**
 * Removes a person from a team, which frees the seat, or takes back an invitation. The person's devices of the product
 * are released, unless the person may use it otherwise. Null if there is no such person.
 */
const removePerson = (ports: RemovePorts) =>
  async function removePerson(
    permit: Permit,
    { owner_id, product, find }: { owner_id: number; product: Product; find: (people: readonly Person[]) => number },
  ): Promise<boolean> {
    const { catalogs, clock, devices, pauses, readAccess, releaseSlots, teams } = ports;
    const removed = await untilWritten(pauses, async () => {
      const read = await teams.read(owner_id, product.id);
      const step = removeStep(read.team, find(read.team.people), clock.now());
      return step === null || (await written(ports, permit, read, step)) ? step : CONFLICT;
    });
    if (!removed?.place) return removed !== null;
    const { account_id } = removed.place;
    if ((await readAccess(account_id, product, await catalogs.current())).granted) return true;
    for (let after: string | null = null; ; ) {
      const page = await devices.page(account_id, product.id, { limit: 100, after });
      for (const { device_id } of page.devices) await releaseSlots.ofProduct(permit, account_id, product.id, device_id);
      after = page.next;
      if (after === null) return true;
    }
  };

/** Removes a person by id for a manager of the team (`removePerson`). */
export const removeFromTeam = (ports: ReadPorts & RemovePorts) => {
  const remove = removePerson(ports);
  return async function removeFromTeam(input: TeamInput & { readonly person_id: number }) {
    const { product, person_id } = input;
    const led = await ledTeam(ports, input);
    if (!led.ok) return led;
    const owner_id = led.value.owner.id;
    return async ({ permit }: Pick<Clearance, 'permit'>) =>
      ok({ removed: await remove(permit, { owner_id, product, find: () => person_id }) });
  };
};

/** A person leaves a team; false if the account has no place in it. */
export const leaveTeam = (ports: RemovePorts) => {
  const remove = removePerson(ports);
  return async function leaveTeam(permit: Permit, input: { account_id: number; owner_id: number; product_id: number }) {
    const product = (await ports.catalogs.current()).products.get(input.product_id);
    if (!product || input.owner_id === input.account_id) return false;
    const find = (people: readonly Person[]) =>
      people.find(({ account_id }) => account_id === input.account_id)?.id ?? Number.NaN;
    return remove(permit, { owner_id: input.owner_id, product, find });
  };
};

export type AcceptInput = { readonly account_id: number; readonly owner_id: number; readonly product_id: number };

type InvitationPorts = Needs<'accounts' | 'catalogs' | 'clock' | 'teams'>;

/** The invitation of an account's address to a team; undefined if there is none. */
export const findInvitation = ({ accounts, catalogs, clock, teams }: InvitationPorts) =>
  async function findInvitation({ account_id, owner_id, product_id }: AcceptInput) {
    const [{ products }, account, owner, { team }] = await Promise.all([
      catalogs.current(),
      accounts.get(account_id),
      accounts.get(owner_id),
      teams.read(owner_id, product_id),
    ]);
    const product = products.get(product_id);
    const person = account && invitationOf(team, account.email, clock.now());
    return product && owner && person && { product, from: owner.email, role: person.role };
  };

/**
 * Accepts an invitation with the account of the invited address. Repeating an interrupted call completes it. An account
 * has at most 20 places in teams.
 */
export const acceptInvitation = (ports: Needs<'accounts' | 'apiKeys' | 'clock' | 'pauses' | 'teams'>) =>
  async function acceptInvitation(permit: Permit, { account_id, owner_id, product_id }: AcceptInput) {
    const { accounts, clock, pauses, teams } = ports;
    return untilWritten(
      pauses,
      async (): Promise<
        Outcome<null, 'account_not_found' | 'invitation_not_found' | 'too_many_teams'> | typeof CONFLICT
      > => {
        const [account, read] = await Promise.all([accounts.get(account_id), teams.read(owner_id, product_id)]);
        if (!account) return refuse('account_not_found', { message: 'This account no longer exists.' });
        const step = acceptStep(read.team, account, clock.now());
        if (!step.ok) return step;
        if (step.value === null) {
          await follow(ports, permit, account_id);
          return ok(null);
        }
        const isWritten = await written(ports, permit, read, step.value);
        return isWritten === 'full' ? TOO_MANY : isWritten ? ok(null) : CONFLICT;
      },
    );
  };

const TOO_MANY: Refused<'too_many_teams'> = refuse('too_many_teams', {
  message: `You are in ${MOST_MEMBERSHIPS} teams, the most that an account may be in; leave one first.`,
});

/** The teams of an account: those of its purchases, and those in which it has a place. */
export const listTeams = ({
  accounts,
  catalogs,
  clock,
  licenses,
  teams,
}: Needs<'accounts' | 'catalogs' | 'clock' | 'licenses' | 'teams'>) =>
  async function listTeams(account_id: number) {
    const [{ products, bundles }, account, holdings, led] = await Promise.all([
      catalogs.current(),
      accounts.get(account_id),
      licenses.held(account_id, undefined, []),
      teams.ofAccount(account_id),
    ]);
    const now = clock.now();
    const own = [...products.values()].flatMap((product) => {
      if (product.slots !== 'persons' || !account) return [];
      const team = led.find(({ product_id }) => product_id === product.id);
      const limit = seatLimit(product, bundles, holdings, now);
      if (limit === 0 && !team) return [];
      return [
        { product, ...teamView(team ?? { account_id, product_id: product.id, people: [] }, account, limit, now) },
      ];
    });
    const places = (account?.memberships ?? []).filter(({ role }) => role !== 'owner');
    const joined = await Promise.all(
      places.map(async ({ account_id: owner_id, product_id, role }) => {
        const [product, owner] = [products.get(product_id), await accounts.get(owner_id)];
        return { product, product_id, owner_id, owner_email: owner?.email ?? null, role };
      }),
    );
    return { own, joined };
  };

export type ListedTeams = Awaited<ReturnType<ReturnType<typeof listTeams>>>;
