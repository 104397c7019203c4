import type { Instant } from '../shared/instant.ts';

/**
 * The kinds of records that an erasure deletes, each with its name for people: everything that a shop has no duty to
 * keep (GDPR, article 17 (1); Korea's PIPA, article 21 (1)).
 */
export const GOES = {
  profile: 'email address, name, billing details and password',
  keys: 'API keys',
  passkeys: 'passkeys',
  browsers: 'signed-in and known browsers',
  sign_ins: 'sign-in links, device sign-ins, links to the upstream provider',
  apps: 'connected applications with their tokens',
  devices: 'devices',
  usage: 'usage, installs, uses and setup progress',
  grants: 'entitlements and subscriptions',
  payment_methods: 'payment methods',
  sale_notes: 'billing details, links to receipts and invoices, reasons of refunds',
  tickets: 'texts and details of tickets',
  files: 'files of tickets',
  replays: 'answers kept for repeated requests',
} as const;

/**
 * The kinds of records that stay under the account's number, each with the reason. None contains a name or an email
 * address; the audit log contains IP addresses.
 * A duty to keep a record takes precedence over its erasure (GDPR, article 17 (3) (b); PIPA, article 21 (1)). Sales are
 * kept for five years (Framework Act on National Taxes, article 85-3; Enforcement Decree of the Act on the Consumer
 * Protection in Electronic Commerce, article 6 (1)), and the complaints of consumers for three (the same decree).
 */
export const STAYS = {
  orders: { what: 'orders', why: 'tax and trade law keep sales for five years' },
  invoices: { what: 'invoices', why: 'tax and trade law keep sales for five years' },
  tickets: { what: 'number, kind, state and date of tickets', why: 'trade law keeps complaints for three years' },
  audit: {
    what: 'entries of the audit log',
    why: 'they prove who changed what; they hold ids of devices and IP addresses, and go after AUDIT_DAYS',
  },
  mark: { what: 'the number of the account and the day of its erasure', why: 'no import may bring the account back' },
} as const;

export type GoingKind = keyof typeof GOES;
export type StayingKind = keyof typeof STAYS;

/** The number of records of each kind that an erasure removes and keeps. */
export type ErasureCounts = {
  readonly goes: Readonly<Record<GoingKind, number>>;
  readonly stays: Readonly<Record<StayingKind, number>>;
};

/** The tombstone of an erased account. Its number is never reused. */
export type Erasure = {
  readonly account_id: number;
  readonly erased_at: Instant;
  /** The time at which the erasure was completed; null while it is running or interrupted. */
  readonly finished_at: Instant | null;
  /** The account that it was merged into. */
  readonly merged_into?: number;
};

/** An unfinished erasure. Until `free_at` it belongs to one worker or command. */
export type UnfinishedErasure = Pick<Erasure, 'account_id' | 'erased_at' | 'merged_into'> & {
  readonly free_at: Instant;
  /** For a merge: until then, it belongs to one request or command. */
  readonly moves_at?: Instant;
  /**
   * The addresses that led to the account, by which records without an account are found; absent for a merge, and in
   * records of the previous version.
   */
  readonly emails?: readonly string[];
  /** The ids that payment providers gave the account, as `provider#id`, found so far. */
  readonly provider_ids?: readonly string[];
};

/**
 * One scan of the whole store, for all accounts whose erasure was waiting when it began. Later erasures wait for the
 * next scan, because a scan does not go back.
 */
export type ErasureWalk = {
  readonly accounts: readonly number[];
  /** The position at which the scan continues; null at its start. */
  readonly after: string | null;
  readonly entries: number;
  readonly began_at: Instant;
  /** The moment of the last page. */
  readonly walked_at: Instant;
  /** The lease of the process that runs it, renewed with each page. */
  readonly taken_until: Instant;
};

/** A worker of an earlier version would mistake a merge for an erasure, so none may ever take one. */
export const NEVER = '9999-12-31T23:59:59.999Z';

/** Seconds of the lease of a command that erases an account. */
export const ERASING_SECONDS = 900;

/** Seconds until a scan is resumed after its process was killed, or after a fault. */
export const WALK_RESTS_SECONDS = 120;

export const erasureSentence = ({ account_id, erased_at, finished_at, merged_into }: Erasure): string =>
  merged_into !== undefined
    ? `Account ${account_id} was merged into account ${merged_into} at ${erased_at}.`
    : finished_at === null
      ? `Account ${account_id} was marked as erased at ${erased_at}, and its erasure has not ended; run "account erase ${account_id}" again.`
      : `Account ${account_id} was erased at ${erased_at}.`;
