import type { Product } from '../catalog/product.ts';
import { plural } from '../shared/count-of.ts';
import { DAY_MS, dayOf, hasPassed, type Instant, isTooFar, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';

/** The lifetime of a lease, in minutes, of a product that sets none. */
const LEASE_MINUTES = 10;

/** The maximum number of concurrent sessions of a license, also of one without a limit. */
export const MOST_LEASES = 1000;

/** The maximum number of days for which a product lets a session be borrowed. */
export const MOST_BORROW_DAYS = 365;

/** The maximum number of sessions in a refusal. */
const SESSIONS_LISTED = 100;

/**
 * A session of a floating license, which holds one of its numbered slots until `expires_at`. After that the slot is
 * free, whether the record still exists or not.
 */
export type Lease = {
  /** From 1. A number above the limit comes from a higher limit, or from an account that was merged. */
  readonly slot: number;
  readonly lease_id: string;
  readonly product_id: number;
  readonly device_id: string;
  readonly name: string | null;
  readonly app_version?: string | undefined;
  readonly taken_at: Instant;
  readonly renewed_at: Instant;
  readonly expires_at: Instant;
  /** The end of the borrowing, if the session was borrowed. Its token runs offline until then. */
  readonly borrowed_until?: Instant | undefined;
  /** The nonce of the request that took the slot. The same request, sent again, takes no second one. */
  readonly nonce?: string | undefined;
};

/** The number of concurrent sessions that a device limit allows; null means no limit of the license. */
export const sessionLimit = (limit: number | null): number => Math.min(limit ?? MOST_LEASES, MOST_LEASES);

/** The leases that hold a slot. Those of devices that the client policy revokes (`withdrawn`) hold none. */
export const liveLeases = <L extends Lease>(leases: readonly L[], withdrawn: readonly string[], now: Instant): L[] =>
  leases.filter(
    ({ expires_at, renewed_at, device_id }) =>
      !hasPassed(expires_at, now) && !isTooFar(renewed_at, now) && !withdrawn.includes(device_id),
  );

/** The time at which the borrowing of a live lease ends; null if it is not borrowed. */
export const borrowedUntil = ({ borrowed_until }: Pick<Lease, 'borrowed_until'>, now: Instant): Instant | null =>
  borrowed_until === undefined || hasPassed(borrowed_until, now) ? null : borrowed_until;

/**
 * The slots that a new session may take: a slot is free, and with the live ones above it fits into the limit. So each
 * slot needs only a condition on itself, and any number of sessions that start concurrently never exceed the limit, not
 * even while slots above a lowered limit are live: after the highest slot that anybody took, only those that were
 * counted with it are above it, and fewer than its number are below.
 */
export const freeSlots = (live: readonly Lease[], limit: number): number[] => {
  const taken = new Set(live.map(({ slot }) => slot));
  let above = live.filter(({ slot }) => slot > limit).length;
  const free: number[] = [];
  for (let slot = limit; slot >= 1; slot--) {
    if (taken.has(slot)) above++;
    else if (slot + above <= limit) free.push(slot);
  }
  return free;
};

/** A session that asks for a slot, or to keep the one that it holds. */
export type SessionAsked = {
  readonly product: Pick<Product, 'id' | 'lease_minutes'>;
  /** The lease that it holds, if it knows one. */
  readonly lease_id: string | null;
  /** An unguessable id for a new lease. The nonce, or this id, chooses the slot among the free ones. */
  readonly fresh: string;
  readonly device_id: string;
  readonly name: string | null;
  readonly app_version: string | null;
  readonly nonce: string | null;
  readonly borrow_days: number | null;
  /** The time at which one of `used` slots must end for another reason; null if it need not. */
  readonly slotEnd: (used: number) => Instant | null;
};

/**
 * Decides on a session: the lease to write in place of the record that its slot has (`before`), or null if no slot is
 * free. A device renews the lease that it holds, even if the limit was lowered since. It gets its borrowed one back if
 * it has forgotten its id, and the same slot for a request that it repeats because the answer was lost. Otherwise the
 * session takes a free slot. A renewal never shortens a lease, because the earlier token is valid until its end.
 */
export const leaseStep = <L extends Lease>(
  leases: readonly L[],
  live: readonly L[],
  limit: number,
  asked: SessionAsked,
  now: Instant,
): { readonly lease: Lease; readonly before: L | undefined } | null => {
  const { product, lease_id, fresh, device_id, name, borrow_days, nonce } = asked;
  const own = live.filter((lease) => lease.device_id === device_id);
  const held =
    own.find((lease) => lease.lease_id === lease_id || (nonce !== null && lease.nonce === nonce)) ??
    own.find((lease) => borrowedUntil(lease, now));
  const free = held ? [] : freeSlots(live, limit);
  // A request that is sent again while the first is in progress chooses the same slot, so that one of both is refused.
  const chosen = [...(nonce ?? fresh)].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1e9, 0);
  const slot = held?.slot ?? free[chosen % free.length];
  if (slot === undefined) return null;
  const taker = held ? held.nonce : nonce;
  const version = asked.app_version ?? held?.app_version;
  const slotEnds = asked.slotEnd(live.length + (held ? 0 : 1));
  const capped = (end: number): Instant =>
    toInstant(Math.floor((slotEnds === null ? end : Math.min(end, millis(slotEnds))) / 1000) * 1000);
  const later = (a: Instant, b: Instant = a): Instant => (a > b ? a : b);
  const kept = (held && borrowedUntil(held, now)) ?? undefined;
  const borrowed = borrow_days === null ? kept : later(capped(millis(now) + borrow_days * DAY_MS), kept);
  const end = later(capped(millis(now) + (product.lease_minutes ?? LEASE_MINUTES) * MINUTE_MS), held?.expires_at);
  return {
    lease: {
      slot,
      lease_id: held?.lease_id ?? fresh,
      product_id: product.id,
      device_id,
      name: name ?? held?.name ?? null,
      ...(version && { app_version: version }),
      taken_at: held?.taken_at ?? now,
      renewed_at: now,
      expires_at: later(end, borrowed),
      ...(borrowed !== undefined && { borrowed_until: borrowed }),
      ...(taker && { nonce: taker }),
    },
    before: leases.find((lease) => lease.slot === slot),
  };
};

/** True for a session that is new, or renewed for the first time on a day (UTC). */
export const isFirstOfDay = (lease: Lease, before: Lease | undefined): boolean =>
  before?.lease_id !== lease.lease_id || dayOf(before.renewed_at) < dayOf(lease.renewed_at);

/** The lease in the answer to its holder, who renews it in the middle of its time. */
export const leaseView = (lease: Lease, now: Instant) => ({
  lease_id: lease.lease_id,
  expires_at: lease.expires_at,
  renew_after: toInstant(Math.floor((millis(now) + millis(lease.expires_at)) / 2)),
  borrowed_until: borrowedUntil(lease, now),
});

/** A session as other holders of the account's keys see it, without the id with which it can be ended. */
export const sessionView = (lease: Lease, now: Instant) => ({
  device_id: lease.device_id,
  name: lease.name,
  taken_at: lease.taken_at,
  renewed_at: lease.renewed_at,
  expires_at: lease.expires_at,
  borrowed_until: borrowedUntil(lease, now),
});

type Sentence = Readonly<Record<Locale, (allowed: number) => string>>;

const FULL: Sentence = {
  en: (allowed) =>
    allowed === 0
      ? 'This license allows no session.'
      : `${plural(allowed, 'The only session of this license is', `All ${allowed} sessions of this license are`)} in use; close the application on another machine, or try again later.`,
  ko: (allowed) =>
    allowed === 0
      ? '이 라이선스로 실행할 수 있는 세션이 없습니다.'
      : `동시에 실행할 수 있는 ${allowed}개를 모두 사용하고 있습니다. 다른 기기에서 앱을 종료하거나 나중에 다시 시도해 주세요.`,
};

/** The refusal of a session without a slot, with the first 100 that hold one. */
export const refuseSession = (
  live: readonly Lease[],
  limit: number,
  manage_url: string,
  now: Instant,
): Refused<'session_limit_reached'> =>
  refuse('session_limit_reached', {
    message: FULL.en(limit),
    ko: FULL.ko(limit),
    data: {
      code: 'session_limit_reached',
      session_limit: limit,
      sessions: live.slice(0, SESSIONS_LISTED).map((lease) => sessionView(lease, now)),
      manage_url,
    },
  });

/** Whether a product has sessions, and lets them be borrowed for so many days. */
export const judgeLease = (
  product: Pick<Product, 'slots' | 'borrow_days'>,
  borrow_days: number | null,
): Outcome<undefined, 'lease_not_offered' | 'validation_failed'> => {
  if (product.slots !== 'sessions') return refuse('lease_not_offered');
  const most = product.borrow_days ?? 0;
  if (borrow_days === null || borrow_days <= most) return ok(undefined);
  const sentence =
    most === 0
      ? 'A session of this product can’t be borrowed; leave out borrow days.'
      : `The borrow days field must be at most ${most} for this product.`;
  return refuse('validation_failed', { data: { errors: { borrow_days: [sentence] } } });
};

/** The message of a valid license whose application runs in sessions: its check, or an offline file, takes none. */
export const NEEDS_SESSION: Readonly<Record<Locale, string>> = {
  en: 'This license is valid. The application takes a session while it runs; to run offline, borrow one in the application.',
  ko: '라이선스가 유효합니다. 앱은 실행하는 동안 세션을 사용합니다. 오프라인에서 쓰시려면 앱에서 세션을 대여해 주세요.',
};
