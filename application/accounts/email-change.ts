import { checkNoMember, memberWith } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { typedAddress } from '../../domain/accounts/address.ts';
import { accountMessages, messageAbout } from '../../domain/mail/message.ts';
import { secondsOfDayLeft } from '../../domain/shared/daily-bound.ts';
import type { Language } from '../../domain/shared/language.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { EMAIL_CHANGES_A_DAY, linkLimits, mailedLinkLimits } from '../../domain/sign-in/attempts.ts';
import type { Session } from '../../domain/sign-in/session.ts';
import { changesAddress, type EmailLink } from '../../domain/sign-in/sign-in-link.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { CountAttempts } from '../sign-in/count-attempts.ts';
import type { EndOtherSessions } from '../sign-in/sessions.ts';
import { findLink, markOf } from '../sign-in/sign-in-links.ts';

type AskForEmailChangePorts = Needs<'accounts' | 'clock' | 'dailyBounds' | 'digest' | 'members' | 'messages'> & {
  countAttempts: CountAttempts;
};

export type EmailChangeInput = {
  readonly session: Session;
  /** The new address, as typed. */
  readonly email: string;
  /** The IP address of the request. */
  readonly address: string;
  readonly locale: Language;
};

/**
 * Mails a link that changes the account's email address to the new address. Whether another account has that address
 * is looked up when the mail is due (then no mail is sent), so neither the response nor its timing reveals it. A member's
 * address opens the console, so only the shop changes it.
 */
export const askForEmailChange = ({
  accounts,
  clock,
  dailyBounds,
  digest,
  members,
  messages,
  countAttempts,
}: AskForEmailChangePorts) =>
  async function askForEmailChange(
    permit: Permit,
    { session, email: typed, address, locale }: EmailChangeInput,
  ): Promise<
    Outcome<
      null,
      'email_malformed' | 'account_not_found' | 'account_of_member' | 'too_many_attempts' | 'too_many_changes'
    >
  > {
    const canonical = typedAddress(typed);
    if (!canonical.ok) return canonical;
    const email = canonical.value;
    const account = await accounts.get(session.account_id);
    if (!account) return refuse('account_not_found', { message: 'This account no longer exists.' });
    const may = checkNoMember((await members.read()).members, account.id);
    if (!may.ok) return may;
    const counted = await countAttempts(mailedLinkLimits(digest.sha256(email), address));
    if (!counted.ok) return counted;
    const { id: account_id } = account;
    const now = clock.now();
    const count = await dailyBounds.count(permit, EMAIL_CHANGES_A_DAY, String(account_id), 1, now);
    if (count > EMAIL_CHANGES_A_DAY.most) {
      return refuse('too_many_changes', { data: { seconds: secondsOfDayLeft(now) } });
    }
    await messages.add(permit, { ...messageAbout('email_change', { account_id }), email, locale });
    return ok(null);
  };

export type AskForEmailChange = ReturnType<typeof askForEmailChange>;

/** The unused link with this code, if it changes the address of the session's account. */
const findOwn = async (
  ports: Needs<'clock' | 'digest' | 'signInLinks'>,
  { account_id }: Session,
  code: string,
): Promise<EmailLink | undefined> => {
  const link = await findLink(ports, code, changesAddress);
  return link?.account_id === account_id ? link : undefined;
};

/**
 * The new address of an unused link; undefined for any other. The link stays unused, because mail scanners open links.
 */
export const peekEmailLink = (ports: Needs<'clock' | 'digest' | 'signInLinks'>) =>
  async function peekEmailLink(session: Session, code: string): Promise<string | undefined> {
    return (await findOwn(ports, session, code))?.email;
  };

const UNUSABLE = refuse('link_not_usable', {
  message: 'This link belongs to another account, was already used or has expired; request a new one.',
});

/**
 * Changes the email address of the session's account by a mailed link, once. The link stops working when the password
 * or address changes, and can't set an address that another account has taken meanwhile. As with a changed password,
 * the account's other sessions and its sign-in links end and its other known browsers are forgotten; keys and connected
 * applications stay.
 */
export const changeEmail = (
  ports: Needs<'accounts' | 'clock' | 'digest' | 'members' | 'pauses' | 'signInLinks'> & {
    countAttempts: CountAttempts;
    endOtherSessions: EndOtherSessions;
  },
) =>
  async function changeEmail(
    permit: Permit,
    {
      session,
      code,
      address,
      known,
    }: {
      readonly session: Session;
      readonly code: string;
      /** The IP address of the request. */
      readonly address: string;
      /** The value of the known browser's cookie; null for none. */
      readonly known: string | null;
    },
  ): Promise<Outcome<null, 'link_not_usable' | 'too_many_attempts'>> {
    const { accounts, members, pauses, digest, signInLinks, countAttempts, endOtherSessions } = ports;
    const counted = await countAttempts(linkLimits(address));
    if (!counted.ok) return counted;
    const link = await findOwn(ports, session, code);
    if (!link || !(await signInLinks.use(link))) return UNUSABLE;
    await counted.value.forgive();
    const changed = await untilWritten(pauses, async () => {
      const read = await accounts.get(link.account_id);
      if (!read || markOf(digest, read) !== link.password_mark) return UNUSABLE;
      if (memberWith((await members.read()).members, read.id)) return UNUSABLE;
      const after = { ...read, email: link.email };
      const messages = accountMessages(read, after, { undoable: true });
      const written = await accounts.revise(permit, read, after, messages);
      if (written === 'changed') return CONFLICT;
      return written === 'email_taken' ? UNUSABLE : ok(null);
    });
    if (changed.ok) await endOtherSessions(permit, session, known);
    return changed;
  };
