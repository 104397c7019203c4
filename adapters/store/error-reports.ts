import { addDays, dayOf, type Instant, millis } from '../../domain/shared/instant.ts';
import type { ErrorGroup } from '../../domain/support/error-group.ts';
import { ERRORS_KEPT_DAYS, type ErrorReport, REPORTS_KEPT } from '../../domain/support/error-report.ts';
import type { ErrorReports, ReadGroup } from '../../ports/outbound/error-reports.ts';
import { keys, SHARDS } from './keys.ts';
import { allItems } from './records.ts';
import type { Table } from './table.ts';

/** Groups whose counts are asked for together. */
const AT_ONCE = 20;

const forgottenAt = (seen: Instant): number => Math.ceil(millis(addDays(seen, ERRORS_KEPT_DAYS)) / 1000);

/** After the day (UTC) of now has ended, in Unix seconds. */
const inADay = (now: Instant): number => Math.ceil(millis(addDays(now, 1)) / 1000);

const isForgotten = (seen: Instant, now: Instant): boolean => addDays(seen, ERRORS_KEPT_DAYS) <= now;

/**
 * One item for each group, in shards that are listed; a counter beside it; and its reports in a ring of places, of which
 * the counter tells the next. So a group takes no more room however many reports come, and writes no more than it has to:
 * one increment, one report, and the group itself once a minute.
 */
export class StoredErrorReports implements ErrorReports {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async readGroup(fingerprint: string, now: Instant): Promise<ReadGroup> {
    const item = await this.#table.get(keys.errorGroup(fingerprint));
    const group = item?.data as ErrorGroup | undefined;
    return {
      group: group && !isForgotten(group.last_seen, now) ? group : undefined,
      version: item?.version ?? null,
    };
  }

  saveGroup(group: ErrorGroup, { version }: ReadGroup): Promise<boolean> {
    return this.#table.put(
      { ...keys.errorGroup(group.fingerprint), data: group, expires_at: forgottenAt(group.last_seen) },
      version === null ? { absent: true } : { version },
    );
  }

  count(fingerprint: string, now: Instant): Promise<number> {
    return this.#increment(fingerprint, 1, now);
  }

  async uncount(fingerprint: string, now: Instant): Promise<void> {
    // Nothing is left of it after a day, where no other report of the group comes.
    await this.#table.increment(keys.errorCount(fingerprint), -1, { expires_at: inADay(now), volatile: true });
  }

  countNewGroup(scope: string, by: 1 | -1, now: Instant): Promise<number> {
    const key = keys.newErrorGroups(scope, dayOf(now));
    return this.#table.increment(key, by, { expires_at: inADay(now), volatile: true });
  }

  async keep(report: ErrorReport, number: number): Promise<void> {
    await this.#table.put({
      ...keys.errorReport(report.fingerprint, number % REPORTS_KEPT),
      data: report,
      expires_at: forgottenAt(report.received_at),
    });
  }

  async *groups(now: Instant): AsyncGenerator<ErrorGroup> {
    for (let shard = 0; shard < SHARDS; shard++) {
      for await (const { data } of allItems(this.#table, keys.errorGroups(shard))) {
        if (!isForgotten(data.last_seen, now)) yield data;
      }
    }
  }

  async counts(fingerprints: readonly string[], now: Instant): Promise<number[]> {
    const counts: number[] = [];
    for (let at = 0; at < fingerprints.length; at += AT_ONCE) {
      const some = fingerprints.slice(at, at + AT_ONCE);
      counts.push(...(await Promise.all(some.map((one) => this.#increment(one, 0, now)))));
    }
    return counts;
  }

  async reports(fingerprint: string, now: Instant): Promise<ErrorReport[]> {
    const places = Array.from({ length: REPORTS_KEPT }, (_, place) => keys.errorReport(fingerprint, place));
    const items = await this.#table.getMany(places);
    return items
      .flatMap((item) => (item ? [item.data as ErrorReport] : []))
      .filter(({ received_at }) => !isForgotten(received_at, now))
      .sort((a, b) => b.id - a.id);
  }

  /** A count is read by adding nothing to it, for counters know only that. */
  #increment(fingerprint: string, by: 0 | 1, now: Instant): Promise<number> {
    const options = { expires_at: forgottenAt(now), volatile: true };
    return this.#table.increment(keys.errorCount(fingerprint), by, options);
  }
}
