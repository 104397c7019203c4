import type { Product } from '../catalog/product.ts';
import { newDevice, type Seat } from '../devices/seat.ts';
import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, hasPassed, type Instant, millis } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { dated, type Sentence } from './access.ts';
import { deviceIsRevoked } from './license-check.ts';

/** The trial of a product on a device, without an account. It has no device id; its key has the id's hash. */
export type Trial = {
  readonly product_id: number;
  readonly started_at: Instant;
  readonly ends_at: Instant;
  /** The time at which a license of the product was first checked on the device; absent before. */
  readonly converted_at?: Instant | undefined;
};

/** Days after the end of a trial for which its device gets no other one. */
export const TRIAL_KEPT_DAYS = 730;

export const trialForgottenAt = ({ ends_at }: Pick<Trial, 'ends_at'>): Instant => addDays(ends_at, TRIAL_KEPT_DAYS);

/** Enough for a computer room behind one address. */
export const TRIALS_OF_ADDRESS: DailyBound = {
  name: 'trials-of-address',
  most: 200,
  what: 'new trials of an address',
};

/** A flood of invented device ids stores no more than this. */
export const TRIALS_OF_PRODUCT: DailyBound = { name: 'trials', most: 10_000, what: 'new trials of a product' };

/** A trial that starts now. Its end stays, even if the product's `trial_days` change. */
export const newTrial = (product_id: number, trial_days: number, now: Instant): Trial => ({
  product_id,
  started_at: now,
  ends_at: addDays(now, trial_days),
});

/** The trial after a license was checked on its device; null if nothing changes. */
export const convertedTrial = (trial: Trial | undefined, now: Instant): Trial | null =>
  trial && trial.converted_at === undefined ? { ...trial, converted_at: now } : null;

/** A trial that the shop ends (0 days), extends or gives again: it runs for so many days from now. */
export const movedTrial = (trial: Trial, days: number, now: Instant): Trial => ({
  ...trial,
  ends_at: addDays(now, days),
});

/** The month (UTC) in which a trial started, `YYYY-MM`, under which it is counted. */
export const trialMonth = ({ started_at }: Pick<Trial, 'started_at'>): string => started_at.slice(0, 7);

/** The last twelve months, newest first, each `YYYY-MM`. */
export const trialMonths = (now: Instant): string[] =>
  Array.from({ length: 12 }, (_, n) => {
    const month = Number(now.slice(0, 4)) * 12 + Number(now.slice(5, 7)) - 1 - n;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });

type Tried = Pick<Product, 'editions' | 'features' | 'metadata'>;

/**
 * The access by a trial, like a license of the product's highest edition without add-ons: on one device, and for all
 * releases.
 */
export const trialAccess = ({ ends_at }: Trial, { editions = [], features = [], metadata = {} }: Tried) => ({
  granted: true as const,
  access_source: 'direct' as const,
  access_expires_at: ends_at,
  updates_supported_until: null,
  device_limit: 1,
  edition: editions.at(-1)?.name ?? null,
  features: [...new Set([...features, ...(editions.at(-1)?.features ?? [])])].sort(),
  metadata,
});

const MESSAGES: Readonly<Record<'valid' | 'trial_ended', Sentence>> = {
  valid: {
    en: (day, time) => `Your trial runs until ${day} at ${time} UTC.`,
    ko: (day, time) => `체험 기간은 ${day} ${time}(UTC)까지입니다.`,
  },
  trial_ended: {
    en: (day, time) => `Your trial ended on ${day} at ${time} UTC; buy a license to continue.`,
    ko: (day, time) => `체험 기간이 ${day} ${time}(UTC)에 끝났습니다. 계속 사용하시려면 라이선스를 구매해 주세요.`,
  },
};

/** Decides on a trial. A revoked device takes precedence over the end. */
export const decideTrial = (
  trial: Trial,
  { granted: _, device_limit: __, ...terms }: ReturnType<typeof trialAccess>,
  isRevoked: boolean,
  locale: Locale,
  now: Instant,
) => {
  const standing = hasPassed(trial.ends_at, now) ? 'trial_ended' : 'valid';
  const code = isRevoked ? 'device_revoked' : standing;
  return {
    valid: code === 'valid',
    code,
    message: isRevoked ? deviceIsRevoked(locale) : dated(MESSAGES[standing], trial.ends_at, locale),
    ...terms,
    access_source: 'trial',
  } as const;
};

/** The device of a trial. It takes no slot of an account, and its name is not stored. */
export const trialSeat = (device_id: string, { started_at }: Trial, now: Instant): Seat => ({
  device: { ...newDevice(device_id, null, started_at), last_seen_at: now },
  used: 1,
});

/** The claims of a trial's token, from those of its answer. The token is valid until the trial ends. */
export const trialClaims = <C extends object>(claims: C, { ends_at }: Pick<Trial, 'ends_at'>) => ({
  ...claims,
  sub: 'trial',
  exp: Math.floor(millis(ends_at) / 1000),
  trial: true,
});
