import type { ActorKind } from '../../domain/access/actor.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import { DAY_MS, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FindProduct } from '../operations/products.ts';

/** The entries that somebody asks for; null leaves a condition out. */
export type AuditWish = {
  readonly account_id: number | null;
  /** Id or slug of a product. */
  readonly product: string | null;
  /** An action (`device.released`), or a kind of record (`device`). */
  readonly action: string | null;
  readonly by: { readonly kind: ActorKind; readonly id: string | null } | null;
  /** The id of the record. */
  readonly subject: string | null;
  /** The first moment, and the last one. */
  readonly since: Instant | null;
  readonly until: Instant | null;
  /** The most entries listed. */
  readonly limit: number;
};

/** Entries after which the progress of a search is told, and then again. */
const TOLD_EVERY = 2000;

/**
 * The newest entries of the audit log that match the wish, newest first.
 *
 * `progress` is told of a long search: the days of the log that it has read, and those that it may have to read.
 */
export const listAudit = ({
  auditLog,
  findProduct,
  clock,
}: Needs<'auditLog' | 'clock'> & { findProduct: FindProduct }) => {
  const telling = (
    { since, until }: AuditWish,
    progress: (days: number, total: number) => void,
  ): ((at: Instant) => void) => {
    const last = millis(until ?? clock.now());
    const first = millis(since ?? auditLog.oldest());
    let seen = 0;
    return (at) => {
      seen += 1;
      if (seen % TOLD_EVERY === 0) progress((last - millis(at)) / DAY_MS, (last - first) / DAY_MS);
    };
  };

  return async (
    wish: AuditWish,
    progress: (days: number, total: number) => void = () => {},
  ): Promise<Outcome<AuditEntry[], 'product_not_found'>> => {
    const { product, by, until, limit, account_id, action, subject, since } = wish;
    const found = product === null ? null : await findProduct(product);
    if (found && !found.ok) return found;
    const filter = {
      account_id,
      product_id: found?.value.id ?? null,
      action,
      by: by && (by.id === null ? by.kind : `${by.kind}:${by.id}`),
      subject,
      since,
      until: until && after(until),
    };
    const entries: AuditEntry[] = [];
    for await (const entry of auditLog.list(filter, telling(wish, progress))) {
      entries.push(entry);
      if (entries.length === limit) break;
    }
    return ok(entries);
  };
};

export type ListAudit = ReturnType<typeof listAudit>;

const after = (moment: Instant): Instant => toInstant(millis(moment) + 1);
