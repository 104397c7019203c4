import type { Instant } from '../shared/instant.ts';

/**
 * The kinds of records that an erasure removes, each with its name for people: all that a shop has no duty to keep
 * (GDPR, article 17 (1); Korea's PIPA, article 21 (1)).
 */
export const GOES = {
  profile: 'e-mail address, name and password',
  keys: 'API keys',
  passkeys: 'passkeys',
  browsers: 'signed-in and known browsers',
  sign_ins: 'sign-in links, device sign-ins, links to the upstream provider',
  apps: 'connected applications with their tokens',
  devices: 'devices',
  usage: 'usage, installs, uses and setup progress',
  grants: 'entitlements and subscriptions',
  payment_methods: 'payment methods',
  sale_notes: 'links to receipts and PDFs of invoices, reasons of refunds',
  tickets: 'texts and details of tickets',
  files: 'files of tickets',
  replays: 'answers kept for repeated requests',
} as const;

/**
 * The kinds of records that stay under the account's number, each with the reason. None has a name or an e-mail
 * address; the audit log has network addresses.
 *
 * A duty to keep a record goes before its erasure (GDPR, article 17 (3) (b); PIPA, article 21 (1)). Sales are kept for
 * five years (Framework Act on National Taxes, article 85-3; Enforcement Decree of the Act on the Consumer Protection
 * in Electronic Commerce, article 6 (1)), and the complaints of consumers for three (the same decree).
 */
export const STAYS = {
  orders: { what: 'orders', why: 'tax and trade law keep sales for five years' },
  invoices: { what: 'invoices', why: 'tax and trade law keep sales for five years' },
  tickets: { what: 'number, kind, state and date of tickets', why: 'trade law keeps complaints for three years' },
  audit: {
    what: 'entries of the audit log',
    why: 'they prove who changed what; they hold ids of devices and network addresses, and go after AUDIT_DAYS',
  },
  mark: { what: 'the number of the account and the day of its erasure', why: 'no import may bring the account back' },
} as const;

export type GoingKind = keyof typeof GOES;
export type StayingKind = keyof typeof STAYS;

/** The number of records of each kind that an erasure removes and leaves. */
export type ErasureCounts = {
  readonly goes: Readonly<Record<GoingKind, number>>;
  readonly stays: Readonly<Record<StayingKind, number>>;
};

/** The mark of an account that was erased. Its number is never given to another account. */
export type Erasure = {
  readonly account_id: number;
  readonly erased_at: Instant;
  /** The end of the erasure; null while it is under way, and where it broke off. */
  readonly finished_at: Instant | null;
  /** The account that has its records, where it was merged into that one. */
  readonly merged_into?: number;
};

/** An erasure that has begun and not ended. Until `free_at`, the worker or the command that has it works alone. */
export type UnfinishedErasure = Pick<Erasure, 'account_id' | 'erased_at' | 'merged_into'> & {
  readonly free_at: Instant;
};

/**
 * One walk through the whole store, for all accounts whose erasure waited when it began. An erasure that begins later
 * waits for the next walk, because nothing before the place of this one is read again.
 */
export type ErasureWalk = {
  readonly accounts: readonly number[];
  /** The place from which the walk goes on; null at its start. */
  readonly after: string | null;
  /** The number of entries that were read. */
  readonly entries: number;
  readonly began_at: Instant;
  /** The moment of the last page. */
  readonly walked_at: Instant;
  /** Until then it belongs to the process that takes it, which says so again with each page. */
  readonly taken_until: Instant;
};

/** Seconds for which an erasure belongs to the command that began it. */
export const ERASING_SECONDS = 900;

/** Seconds for which a walk rests after its process was killed, or after a fault. */
export const WALK_RESTS_SECONDS = 120;

export const erasureSentence = ({ account_id, erased_at, finished_at, merged_into }: Erasure): string =>
  merged_into !== undefined
    ? `Account ${account_id} was merged into account ${merged_into} at ${erased_at}.`
    : finished_at === null
      ? `Account ${account_id} was marked as erased at ${erased_at}, and its erasure has not ended; run "account erase ${account_id}" again.`
      : `Account ${account_id} was erased at ${erased_at}.`;
