import type { Account } from '../accounts/account.ts';
import { addressKey } from '../accounts/address.ts';
import { type Order, type Refund, UNPAID_STATUSES } from '../billing/order.ts';
import { isWhole, moneyBack, refundedMoney, takenAt } from '../billing/refund.ts';
import type { NoticeMail } from '../notices/notice.ts';
import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, awaits, hasPassed, type Instant, MINUTE_MS, millis, retryAt, toInstant } from '../shared/instant.ts';
import type { Language } from '../shared/language.ts';
import { isSameJson } from '../shared/same-json.ts';

export const MESSAGE_KINDS = [
  'order',
  'refund',
  'restored',
  'key',
  'passkey',
  'passkey_removed',
  'password_changed',
  'locked_out',
  'device',
  'answer',
  'ticket',
  'withdrawal',
  'license_key',
  'transfer',
  'transferred',
  'team_invitation',
  'team_over_used',
  'sign_in',
  'console_sign_in',
  'email_change',
  'email_changed',
  'notice',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/**
 * The record that a message is about. The text is generated from the record when the message is sent, so the message
 * holds no secret.
 */
export type MessageSubject = {
  readonly kind: MessageKind;
  /** Null if a person requested the message for an address that may have no account, and for a notice to the shop. */
  readonly account_id: number | null;
  readonly subject_id: string;
  readonly product_id: number | null;
};

type NamedRefund = Pick<Refund, 'refunded_at' | 'amount_cents'>;

const nameOf = ({ refunded_at, amount_cents }: NamedRefund): NamedRefund =>
  amount_cents === undefined ? { refunded_at } : { refunded_at, amount_cents };

export const isSameRefund = (a: NamedRefund, b: NamedRefund): boolean => isSameJson(nameOf(a), nameOf(b));

/** A message to a buyer, or a notice to the shop, that has not been sent yet. */
export type Message = MessageSubject & {
  readonly id: number;
  /**
   * The address that a person typed to request a sign-in link or to change the account's own, or the account's former
   * address; the address that gets a notice or an invitation; null for the address of the account.
   */
  readonly email: string | null;
  /** The language of the request that asked for the message; null for the account's own. */
  readonly locale: Language | null;
  /** The path on this host to which a sign-in link leads. */
  readonly next?: string;
  /** The refund that the message is about; absent in older messages, which are about the last refund. */
  readonly refund?: NamedRefund;
  /** True for a change of the address by a browser, which the former address may undo. */
  readonly undoable?: true;
  /** True if the requesting browser had signed in to the account before. */
  readonly known?: true;
  /** True for a test mail, which a member of the shop asked for: it has the facts of an example. */
  readonly example?: true;
  /** The content of a notice to the shop; absent in messages to buyers. */
  readonly notice?: NoticeMail;
  /** True for a message with priority, because a person is waiting for it. */
  readonly first?: true;
  readonly created_at: Instant;
  /** No worker takes the message before this time: another worker is sending it, or it awaits a retry. */
  readonly due_at: Instant;
  /** The number of times that a worker has taken the message. */
  readonly attempts: number;
  readonly fault: string | null;
};

/** The facts of a message that come from the change or the request. */
export type NewMessage = MessageSubject &
  Partial<Pick<Message, 'email' | 'example' | 'known' | 'locale' | 'next' | 'notice' | 'refund' | 'undoable'>>;

/** The messages that a port method writes in the transaction of the change. */
export type NewMessages = readonly NewMessage[];

/** True for a message with a link that signs in. */
const isSignIn = ({ kind }: Pick<Message, 'kind'>): boolean => kind === 'sign_in' || kind === 'console_sign_in';

/** A message to be written with the change that causes it. */
export const newMessage = (id: number, about: NewMessage, now: Instant): Message => ({
  email: null,
  locale: null,
  ...about,
  ...(isSignIn(about) && { first: true }),
  id,
  created_at: now,
  due_at: now,
  attempts: 0,
  fault: null,
});

/** A message about a record of an account; without a record's id, about the account itself. */
export const messageAbout = (
  kind: MessageKind,
  {
    account_id,
    id = '',
    product_id = null,
  }: { account_id: number | null; id?: number | string; product_id?: number | null },
): NewMessage => ({ kind, account_id, subject_id: String(id), product_id });

const isOpen = (order?: Order): boolean => !order || order.status === 'pending' || order.status === 'cancelled';

/** True if the access of an item differs between two states of an order. */
const takesMore = (order: Order, than: Order): boolean =>
  order.items.some(({ id }) => takenAt(order, id) !== undefined && takenAt(than, id) === undefined);

/**
 * True if the shop by command, or the provider by its event, has recorded the same money before: each refund of one side
 * stands for one of the other.
 */
const isCounterpart = (refund: Refund, before: Order | undefined, after: Order): boolean => {
  const isByCommand = ({ amount_cents }: Refund): boolean => amount_cents === undefined;
  const { cents } = refundedMoney(after, refund);
  const known = moneyBack(after).filter(
    (one) =>
      refundedMoney(after, one).cents === cents && moneyBack(before ?? {}).some((each) => isSameRefund(each, one)),
  );
  const same = known.filter((one) => isByCommand(one) === isByCommand(refund)).length;
  return known.length - same > same;
};

/**
 * The messages about a written order: that it was paid, each refund, and access that came back. A dispute causes no
 * message, nor does the event of a refund that was already recorded by command, nor a command after the event. Refunds are identified by time and
 * amount, because their items change if another one completes the sum.
 */
export const orderMessages = (before: Order | undefined, after: Order): NewMessages => {
  if (isOpen(after)) return [];
  const isPaid = !UNPAID_STATUSES.includes(after.status);
  const isKnown = before !== undefined && isWhole(before) && !takesMore(after, before);
  const isNew = (refund: Refund) => !isKnown && !moneyBack(before ?? {}).some((one) => isSameRefund(one, refund));
  return [
    ...(isPaid && isOpen(before) && !after.was_paid ? [messageAbout('order', after)] : []),
    ...moneyBack(after)
      .filter((refund) => isNew(refund) && !isCounterpart(refund, before, after))
      .map((refund) => ({ ...messageAbout('refund', after), refund: nameOf(refund) })),
    ...(isPaid && before && takesMore(before, after) ? [messageAbout('restored', after)] : []),
  ];
};

/**
 * The messages about a changed account: to the former address about the new one, or to the owner about a lock-out or a new password.
 * Another spelling of the same address does not count as a change. `undoable`: the former address may undo it.
 */
export const accountMessages = (before: Account, after: Account, how: { undoable?: true } = {}): NewMessages => {
  const email = addressKey(before.email);
  const about = { account_id: after.id };
  if (email !== addressKey(after.email)) return [{ ...messageAbout('email_changed', about), email, ...how }];
  if (before.ways_in_ended?.at !== after.ways_in_ended?.at) return [messageAbout('locked_out', about)];
  return before.password_hash === after.password_hash ? [] : [messageAbout('password_changed', about)];
};

/** The maximum number of messages about devices to an account in a day, so a fleet doesn't flood a mailbox. */
export const NOTICES_A_DAY: DailyBound = { name: 'notices', most: 20, what: 'messages about devices of an account' };

/**
 * The maximum number of messages in a day about new and removed ways to sign in. The limit is separate, so a fleet of
 * devices can't hide a thief's key.
 */
export const WAYS_IN_NOTICES_A_DAY: DailyBound = {
  ...NOTICES_A_DAY,
  name: 'ways-in-notices',
  what: 'messages about ways in',
};

/** The maximum number of invitations to teams that one address gets in a day, from all senders. */
export const INVITATIONS_OF_ADDRESS: DailyBound = { name: 'invited', most: 5, what: 'invitations of an address' };

/** The maximum number of times a day that the shop mails an order again. */
export const ORDER_MAILS_A_DAY: DailyBound = { name: 'order-mails', most: 3, what: 'mails about an order' };

/** Seconds for which a message belongs to the worker that took it. */
export const SENDING_SECONDS = 120;

/**
 * Days for which a message is retried, and is stored after it failed. RFC 5321, 4.5.4.1, asks for four or five days, after
 * which the sender hears of it. Here the sender may be a shop whose mail password has expired while its owner is away.
 */
export const DAYS_TRIED = 30;
export const DAYS_KEPT_FAILED = 30;

/** Minutes after which nobody waits for a mailed link any longer. */
const LINK_WAIT_MINUTES = 30;

/** An hour, so that messages leave soon after the operator has corrected the mail server; a day after the first days. */
const [LONGEST_REST_MINUTES, LATER_REST_MINUTES, FIRST_DAYS] = [60, 24 * 60, 5];

/**
 * The time at which a failed message is retried: after a minute, then at doubling intervals of at most an hour; daily once
 * it has waited for five days.
 */
export const nextAttempt = (
  { attempts, created_at }: Pick<Message, 'attempts' | 'created_at'>,
  now: Instant,
): Instant =>
  retryAt(attempts, hasPassed(addDays(created_at, FIRST_DAYS), now) ? LATER_REST_MINUTES : LONGEST_REST_MINUTES, now);

/** True for a message to send now. One that was never taken waits for nothing, whatever clock queued it. */
export const mayBeTaken = ({ attempts, due_at }: Pick<Message, 'attempts' | 'due_at'>, now: Instant): boolean =>
  attempts === 0 || !awaits(due_at, now, 2 * LATER_REST_MINUTES);

/** True if the next retry of a message would be too late. */
export const isGivenUp = (message: Pick<Message, 'kind' | 'created_at'>, next: Instant): boolean =>
  hasPassed(
    isSignIn(message) || message.kind === 'email_change'
      ? toInstant(millis(message.created_at) + LINK_WAIT_MINUTES * MINUTE_MS)
      : addDays(message.created_at, DAYS_TRIED),
    next,
  );

/** Minutes after which a due message that no worker has taken shows that none is running. */
const LATE_MINUTES = 15;

/** True for a message that awaits a retry, or that no worker sends. */
export const isStuck = ({ fault, due_at }: Pick<Message, 'fault' | 'due_at'>, now: Instant): boolean =>
  fault !== null || hasPassed(toInstant(millis(due_at) + LATE_MINUTES * MINUTE_MS), now);

/** The maximum length of a stored fault text. */
const FAULT_LENGTH = 300;

export const faultText = (text: string): string => text.replace(/\s+/g, ' ').slice(0, FAULT_LENGTH).toWellFormed();
