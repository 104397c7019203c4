import type { ActorKind } from '../../domain/access/actor.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import { DAY_MS, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { isBehind, type ListOrder, placeOf } from '../../domain/shared/paging.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FindProduct } from '../catalog/shop-products.ts';

/** The conditions of a search; null omits a condition. */
export type AuditInput = {
  readonly account_id: number | null;
  /** Id or slug of a product. */
  readonly product: string | null;
  /** An action (`device.released`), or a kind of record (`device`). */
  readonly action: string | null;
  readonly by: { readonly kind: ActorKind; readonly id: string | null } | null;
  /** The id of the record. */
  readonly subject: string | null;
  /** The first and the last moment. */
  readonly since: Instant | null;
  readonly until: Instant | null;
  /** The maximum number of entries. */
  readonly limit: number;
  /** The key of the entry after which the list starts. */
  readonly after?: string | null;
};

/** The newest entries first. */
export const AUDIT: ListOrder<AuditEntry> = { place: ({ at, id }) => placeOf(at, id), highestFirst: true };

/** The time at the start of a key, where the search begins; null for an invalid key. */
const momentIn = (place: string): Instant | null => {
  const [moment = ''] = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z/.exec(place) ?? [];
  const at = Date.parse(moment);
  return Number.isNaN(at) ? null : toInstant(at);
};

const earlier = (a: Instant | null, b: Instant | null): Instant | null => (a === null || (b && b < a) ? b : a);

/** The number of entries between progress reports of a search. */
const TOLD_EVERY = 2000;

type Ports = Needs<'auditLog' | 'clock'> & { findProduct: FindProduct };

/**
 * The newest entries of the audit log that match the filter, newest first.
 *
 * `progress` gets the days of the log read so far, and the days that may have to be read.
 */
export const listAudit = ({ auditLog, findProduct, clock }: Ports) => {
  const telling = (
    { since, until }: AuditInput,
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

  return async function listAudit(
    input: AuditInput,
    progress: (days: number, total: number) => void = () => {},
  ): Promise<Outcome<AuditEntry[], 'product_not_found'>> {
    const { product, by, limit, account_id, action, subject, since, after = null } = input;
    const until = earlier(input.until, momentIn(after ?? ''));
    const found = product === null ? null : await findProduct(product);
    if (found && !found.ok) return found;
    const filter = {
      account_id,
      product_id: found?.value.id ?? null,
      action,
      by: by && (by.id === null ? by.kind : `${by.kind}:${by.id}`),
      subject,
      since,
      until: until && toInstant(millis(until) + 1),
    };
    const entries: AuditEntry[] = [];
    for await (const entry of auditLog.list(filter, telling({ ...input, until }, progress))) {
      if (isBehind(entry, after, AUDIT)) entries.push(entry);
      if (entries.length === limit) break;
    }
    return ok(entries);
  };
};

export type ListAudit = ReturnType<typeof listAudit>;
