import {
  changedMember,
  checkMayShutOut,
  checkNewMember,
  endedMember,
  type Member,
  memberName,
  memberWith,
  NO_MEMBER,
  newSetupOffer,
} from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { TokenRole } from '../../domain/access/principal.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { typedAddress } from '../../domain/accounts/address.ts';
import { hasPassed, type Instant } from '../../domain/shared/instant.ts';
import { type Ok, type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { linkLimits } from '../../domain/sign-in/attempts.ts';
import type { Place } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { findBuyer } from '../sales/find-buyer.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { CountAttempts } from '../sign-in/count-attempts.ts';
import { isSecret, type OpenedSession, type OpenSession, type Sender } from '../sign-in/sessions.ts';

/** The membership of an account; undefined if it has none. */
export const findMember = ({ members }: Needs<'members'>) =>
  async function findMember(account_id: number): Promise<Member | undefined> {
    return memberWith((await members.read()).members, account_id);
  };

export type FindMember = ReturnType<typeof findMember>;

/** Refuses a caller below everything what would shut a member out. */
export const checkShutOut = ({ members }: Needs<'members'>) =>
  async function checkShutOut(role: TokenRole, account_id: number): Promise<Outcome<null, 'account_of_member'>> {
    return checkMayShutOut(role, (await members.read()).members, account_id);
  };

/** The members with their accounts, by account. */
export const listMembers = ({ accounts, members }: Needs<'accounts' | 'members'>) =>
  async function listMembers(): Promise<AddedMember[]> {
    const { members: all } = await members.read();
    const found = await Promise.all(
      all.map(async (member) => ({ member, account: await accounts.get(member.account_id) })),
    );
    return found.flatMap(({ member, account }) => (account ? [{ member, account }] : []));
  };

type AddPorts = Needs<'accounts' | 'clock' | 'ids' | 'members' | 'pauses'>;

export type MemberInput = Pick<Member, 'name' | 'role'> & { readonly email: string };

/** A member with its account. */
export type AddedMember = { readonly member: Member; readonly account: Account };

type AddRefusal = 'account_suspended' | 'email_malformed' | 'member_exists' | 'name_is_empty' | 'too_many_members';

/** Makes the account of an address a member unless the current members are `refused`, and opens a missing account. */
const join = async <R extends string = never>(
  ports: AddPorts,
  permit: Permit,
  { email: typed, name, role }: MemberInput,
  refused: (members: readonly Member[]) => Promise<Refused<R> | undefined> = async () => undefined,
): Promise<Ok<AddedMember> | Refused<AddRefusal | R>> => {
  const { accounts, clock, members, pauses } = ports;
  const [email, named] = [typedAddress(typed), memberName(name)];
  if (!email.ok) return email;
  if (!named.ok) return named;
  return untilWritten(pauses, async () => {
    const read = await members.read();
    const no = await refused(read.members);
    if (no) return no;
    const found = await findBuyer(ports)(permit, { email: email.value, name: null, locale: null });
    const account = found.ok ? await accounts.get(found.value) : undefined;
    if (!account) return CONFLICT;
    if (account.suspended_at) {
      return refuse('account_suspended', {
        message: `The account of ${email.value} is suspended; reinstate it first.`,
      });
    }
    const may = checkNewMember(read.members, account.id);
    if (!may.ok) return may;
    const member: Member = { account_id: account.id, role, name: named.value, added_at: clock.now() };
    const written = await members.change(permit, read, { before: undefined, after: member });
    return written ? ok({ member, account }) : CONFLICT;
  });
};

/** Makes the account of an address a member, and opens a missing account. */
export const addMember = (ports: AddPorts) =>
  function addMember(permit: Permit, input: MemberInput): Promise<Outcome<AddedMember, AddRefusal>> {
    return join(ports, permit, input);
  };

type ChangePorts = Needs<'accounts' | 'members' | 'pauses'>;

/** Decides a change of a member on all of them, and writes it. */
const change = async <R extends string>(
  { accounts, members, pauses }: ChangePorts,
  permit: Permit,
  account_id: number,
  decide: (members: readonly Member[]) => Outcome<Member | null | 'unchanged', R>,
): Promise<Ok<AddedMember & { readonly isChanged: boolean }> | Refused<R | 'member_not_found'>> =>
  untilWritten(pauses, async () => {
    const [read, account] = await Promise.all([members.read(), accounts.get(account_id)]);
    const decided = decide(read.members);
    if (!decided.ok) return decided;
    const before = memberWith(read.members, account_id);
    if (!before || !account) return NO_MEMBER;
    if (decided.value === 'unchanged') return ok({ member: before, account, isChanged: false });
    const written = await members.change(permit, read, { before, after: decided.value });
    return written ? ok({ member: decided.value ?? before, account, isChanged: true }) : CONFLICT;
  });

/** Gives a member another role or name, from the next request on. */
export const changeMember = (ports: ChangePorts) =>
  function changeMember(permit: Permit, input: Parameters<typeof changedMember>[1]) {
    return change(ports, permit, input.account_id, (members) => changedMember(members, input));
  };

/**
 * Ends a membership. The console is closed to the account from the next request on, and its ways into the console end,
 * so that none comes back with a later membership. The account stays.
 */
export const removeMember = (ports: ChangePorts & Needs<'passkeys' | 'sessions' | 'signInLinks'>) =>
  async function removeMember(permit: Permit, { account_id }: { readonly account_id: number }) {
    const { passkeys, sessions, signInLinks } = ports;
    const removed = await change(ports, permit, account_id, (members) => {
      const ended = endedMember(members, account_id);
      return ended.ok ? ok(null) : ended;
    });
    if (!removed.ok) return removed;
    const ofConsole = (one: { readonly place?: Place }) => one.place === 'console';
    for (const one of (await sessions.of(account_id)).filter(ofConsole)) await sessions.end(one);
    for (const one of (await passkeys.of(account_id)).filter(ofConsole)) await passkeys.remove(permit, one, []);
    for (const one of (await signInLinks.of(account_id)).filter(ofConsole)) await signInLinks.use(one);
    return removed;
  };

/**
 * Offers the operator to become the first member, and returns the code; null if the shop has members. An earlier code is
 * then invalid.
 */
export const offerSetup = ({ clock, digest, members, secrets }: Needs<'clock' | 'digest' | 'members' | 'secrets'>) =>
  async function offerSetup(permit: Permit): Promise<string | null> {
    if ((await members.read()).members.length > 0) return null;
    const code = secrets.value();
    await members.offerSetup(permit, newSetupOffer(digest.sha256(code), clock.now()));
    return code;
  };

/** The end of the operator's offer with this code; undefined if it is unknown, expired, or the shop has members. */
export const peekSetup = ({ clock, digest, members }: Needs<'clock' | 'digest' | 'members'>) =>
  async function peekSetup(code: string): Promise<Instant | undefined> {
    const [offer, read] = await Promise.all([members.setup(), members.read()]);
    const isOpen = offer && read.members.length === 0 && !hasPassed(offer.expires_at, clock.now());
    return isOpen && isSecret(code) && digest.sha256(code) === offer.hash ? offer.expires_at : undefined;
  };

const NO_SETUP = refuse('setup_not_usable', {
  message: 'This link has expired, was replaced by a later start, or the shop has its first member already.',
});

/**
 * Makes the operator, who has the code, the first member with the role `everything`, and signs the browser in to the
 * console. The account of the address is opened, or taken as it is: the code proves more than the address. Of concurrent
 * browsers, exactly one succeeds, and the others open no account.
 */
export const useSetup = (
  ports: AddPorts & Needs<'digest'> & { countAttempts: CountAttempts; openSession: OpenSession },
) =>
  async function useSetup(
    permit: Permit,
    code: string,
    { email, name }: Pick<MemberInput, 'email' | 'name'>,
    sender: Sender,
  ): Promise<Outcome<OpenedSession, AddRefusal | 'setup_not_usable' | 'too_many_attempts'>> {
    const counted = await ports.countAttempts(linkLimits(sender.address));
    if (!counted.ok) return counted;
    if (!(await peekSetup(ports)(code))) return NO_SETUP;
    await counted.value.forgive();
    let isOurs = false;
    const taken = async (members: readonly Member[]) => {
      isOurs ||= members.length === 0 && (await ports.members.claimSetup(permit, ports.clock.now()));
      return members.length > 0 || !isOurs ? NO_SETUP : undefined;
    };
    const joined = await join(ports, permit, { email, name, role: 'everything' }, taken);
    if (!joined.ok && isOurs) await ports.members.claimSetup(permit, null);
    if (!joined.ok) return joined;
    return ports.openSession(joined.value.member.account_id, 'link', { ...sender, place: 'console' });
  };

export type PeekSetup = ReturnType<typeof peekSetup>;
export type UseSetup = ReturnType<typeof useSetup>;
