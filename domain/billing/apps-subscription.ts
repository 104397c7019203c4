import { accessEnd, graceEnd, isInGrace, type Subscription } from '../licensing/subscription.ts';
import { compareText } from '../shared/compare-text.ts';
import { countOf } from '../shared/count-of.ts';
import { DAY_MS, dayOf, hasPassed, type Instant, millis } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';

/** The combined state of an account's subscriptions to the store's apps. */
export type AppsStanding =
  | { readonly state: 'none' }
  /** Nothing is active, and `next` starts later. */
  | { readonly state: 'scheduled'; readonly next: Subscription }
  | {
      /** `grace`: the paid period is over, but the apps still run. */
      readonly state: 'active' | 'grace' | 'ended';
      /** The end of the paid period. */
      readonly expires_at: Instant | null;
      /** Null while the state is `active`, and if there is no grace period. */
      readonly grace_period_ends_at: Instant | null;
      /** The subscription whose tier is shown and that a renewal continues. */
      readonly foremost: Subscription;
      /** The subscriptions that give access now; empty if the state is `ended`. */
      readonly inForce: readonly Subscription[];
      /** The subscription that starts next; undefined if none does. */
      readonly next: Subscription | undefined;
    };

type EndOf = (subscription: Subscription) => Instant | null;

const paidUntil: EndOf = ({ ends_at }) => ends_at;

/** The subscription with the latest end (null never ends); the newest of those with equal ends. */
const longest = (subscriptions: readonly Subscription[], endOf: EndOf): Subscription | undefined =>
  [...subscriptions].sort((a, b) => {
    const [endA, endB] = [endOf(a), endOf(b)];
    if (endA === endB) return b.id - a.id;
    return endA === null || (endB !== null && endA > endB) ? -1 : 1;
  })[0];

/** The next subscription that will start and give access. */
const firstToBegin = (subscriptions: readonly Subscription[], now: Instant): Subscription | undefined =>
  subscriptions
    .filter((one) => one.starts_at > now && !hasPassed(accessEnd(one), one.starts_at))
    .sort((a, b) => compareText(a.starts_at, b.starts_at) || b.id - a.id)[0];

/**
 * Combines the apps subscriptions of an account. A paid subscription takes precedence over one in its grace period,
 * then comes one that starts later, then one that is over. The one with the latest end determines tier and dates.
 * Features and apps of all active subscriptions are combined, so another subscription never takes anything away.
 */
export const appsStanding = (subscriptions: readonly Subscription[], now: Instant): AppsStanding => {
  const all = subscriptions.filter(({ apps }) => apps !== null);
  const begun = all.filter(({ starts_at }) => starts_at <= now);
  const next = firstToBegin(all, now);
  const inForce = begun.filter((subscription) => !hasPassed(accessEnd(subscription), now));
  const paid = inForce.filter((subscription) => !isInGrace(subscription, now));
  const foremost = longest(paid, paidUntil) ?? longest(inForce, accessEnd) ?? longest(begun, accessEnd);
  if (next && inForce.length === 0) return { state: 'scheduled', next };
  if (!foremost) return { state: 'none' };
  const state = paid.length > 0 ? 'active' : inForce.length > 0 ? 'grace' : 'ended';
  return {
    state,
    expires_at: foremost.ends_at,
    grace_period_ends_at: state === 'active' ? null : graceEnd(foremost),
    foremost,
    inForce,
    next,
  };
};

export type Texts = {
  readonly message: string | null;
  readonly grace_warning: string | null;
};

const WARNINGS: Readonly<Record<Locale, (days: number) => string>> = {
  en: (days) => `Your apps subscription has run out; renew it within ${countOf(days, 'day')} to go on using its apps.`,
  ko: (days) => `앱 구독 기간이 끝났습니다. 앱을 계속 쓰려면 ${days}일 안에 구독을 갱신해 주세요.`,
};

const MESSAGES: Readonly<Record<'none' | 'ended', Readonly<Record<Locale, string>>>> = {
  none: { en: 'This account has no apps subscription.', ko: '이 계정에는 앱 구독이 없습니다.' },
  ended: {
    en: 'Your apps subscription has ended; renew it to use its apps again.',
    ko: '앱 구독이 만료되었습니다. 앱을 다시 쓰려면 구독을 갱신해 주세요.',
  },
};

/** The time at which the next subscription starts, to the minute and in UTC, because the time zone is unknown. */
const BEGINS: Readonly<Record<Locale, (day: string, time: string) => string>> = {
  en: (day, time) => `Your apps subscription begins on ${day} at ${time} UTC.`,
  ko: (day, time) => `앱 구독이 ${day} ${time}(UTC)에 시작됩니다.`,
};

const announced = ({ starts_at }: Subscription, locale: Locale): Texts => ({
  message: BEGINS[locale](dayOf(starts_at), starts_at.slice(11, 16)),
  grace_warning: null,
});

/**
 * The texts for the user: why there is no subscription, when it starts, or how many days (rounded up) are left to renew
 * it. Nobody is asked to renew if the next subscription starts before the grace period ends.
 */
export const appsTexts = (standing: AppsStanding, locale: Locale, now: Instant): Texts => {
  if (standing.state === 'none' || standing.state === 'ended') {
    return { message: MESSAGES[standing.state][locale], grace_warning: null };
  }
  if (standing.state === 'scheduled') return announced(standing.next, locale);
  const end = standing.state === 'grace' ? standing.grace_period_ends_at : null;
  if (end === null) return { message: null, grace_warning: null };
  if (standing.next && standing.next.starts_at <= end) return announced(standing.next, locale);
  return { message: null, grace_warning: WARNINGS[locale](Math.ceil((millis(end) - millis(now)) / DAY_MS)) };
};
