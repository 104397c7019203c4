import { hasRole, type ShopRole } from '../access/principal.ts';
import { MOST_NOTICE_ADDRESSES, type NoticeKind, type NoticeSettings, type NoticeTime } from '../catalog/notify.ts';
import type { Instant } from '../shared/instant.ts';

/** The role whose work a kind belongs to, and its usual time. */
const USUAL: Readonly<Record<NoticeKind, readonly [ShopRole, NoticeTime]>> = {
  sale: ['orders', 'daily'],
  failed_renewal: ['orders', 'daily'],
  dispute: ['orders', 'at_once'],
  withdrawal: ['orders', 'at_once'],
  ticket: ['support', 'at_once'],
  payment_event: ['orders', 'at_once'],
  doctor: ['everything', 'at_once'],
  disk: ['everything', 'at_once'],
  backup: ['everything', 'at_once'],
};

/** The settings of the shop, the addresses of its members, and the zone of its days. */
export type Audience = {
  readonly settings: NoticeSettings;
  readonly people: readonly { readonly email: string; readonly role: ShopRole }[];
  readonly time_zone: string;
};

export const timeOf = (settings: NoticeSettings, kind: NoticeKind): NoticeTime => settings[kind] ?? USUAL[kind][1];

/** The addresses that get a kind, at most ten; none if it is never told. */
export const addressesOf = ({ settings, people }: Audience, kind: NoticeKind): readonly string[] => {
  if (timeOf(settings, kind) === 'never') return [];
  const fitting = people.filter(({ role }) => hasRole(role, USUAL[kind][0])).map(({ email }) => email);
  return [...new Set(settings.to ?? fitting)].slice(0, MOST_NOTICE_ADDRESSES);
};

/**
 * True if the person of an address may open the console's page of a kind, or, without a kind, the settings of notices.
 * An address that is no member's, such as one that several people read, counts as an owner's.
 */
export const mayOpen = ({ people }: Audience, address: string, kind?: NoticeKind): boolean => {
  const { role } = people.find(({ email }) => email === address) ?? {};
  return role === undefined || hasRole(role, kind ? USUAL[kind][0] : 'everything');
};

/** One notice to the shop. It names no buyer; a ticket's subject is read when the mail is written. */
export type Notice = {
  readonly kind: NoticeKind;
  /** The path of its page in the console. */
  readonly page: string;
  /** The number of the order or the ticket, the event, or the check; empty if the products name it. */
  readonly name: string;
  readonly product_ids?: readonly number[];
  readonly money?: { readonly cents: number; readonly currency: string };
  readonly ticket_id?: number;
  /** The reason why an event is refused, or what the doctor says. */
  readonly text?: string;
  /** True if the problem is resolved. */
  readonly mended?: true;
};

/** Notices counted together: sums by currency, which are never added to each other, and the first ones by name. */
export type Tally = {
  readonly count: number;
  readonly sums: Readonly<Record<string, number>>;
  readonly first: readonly Notice[];
};

/** The most notices that a summary names. */
const MOST_NAMED = 10;

/** The tally with one notice more. */
export const tallied = (notice: Notice, { count, sums, first }: Tally = { count: 0, sums: {}, first: [] }): Tally => {
  const { cents, currency } = notice.money ?? {};
  return {
    count: count + 1,
    sums: currency === undefined ? sums : { ...sums, [currency]: (sums[currency] ?? 0) + (cents ?? 0) },
    first: first.length < MOST_NAMED ? [...first, notice] : first,
  };
};

/**
 * The content of a mail. `at_once`: one notice, and `more` if the further ones of its hour wait for a summary; `hour`:
 * that summary; `day`: the summary of a day; `test`: the shop asked for it.
 */
export type NoticeMail = {
  readonly how: 'at_once' | 'hour' | 'day' | 'test';
  readonly more?: true;
  readonly kinds: readonly (Tally & { readonly kind: NoticeKind })[];
};

/** A problem that was told, and the machine that has it; null for one of the store. */
export type Problem = Pick<Notice, 'kind' | 'name' | 'text'> & { readonly on: string | null };

/** The notices that wait for a summary, and the reported problems. One record, so that each is sent once. */
export type NoticeBox = {
  /** By kind, the hour in UTC (`2026-11-21T08`), the notices that were sent in it, and the others. */
  readonly hours: {
    readonly [K in NoticeKind]?: { readonly hour: string; readonly sent: number; readonly rest: Tally | null };
  };
  readonly day: {
    readonly due_at: Instant;
    readonly kinds: { readonly [K in NoticeKind]?: Tally };
  } | null;
  readonly problems: Readonly<Record<string, Problem>>;
};

export const EMPTY_BOX: NoticeBox = { hours: {}, day: null, problems: {} };
