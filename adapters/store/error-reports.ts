import type { Permit } from '../../domain/access/permit.ts';
import { addDays, dayOf, type Instant } from '../../domain/shared/instant.ts';
import type { ErrorGroup } from '../../domain/support/error-group.ts';
import { ERRORS_KEPT_DAYS, type ErrorReport, REPORTS_KEPT } from '../../domain/support/error-report.ts';
import type { ErrorReports, ReadGroup } from '../../ports/outbound/support.ts';
import { expiryAt, expiryOfDay } from './expiry.ts';
import { supportKeys } from './keys/support.ts';
import { ifUnchanged, itemOf, readCounts, recordsOfShards } from './records.ts';
import { OnTable } from './repository.ts';
import { StoreBusy } from './table.ts';

const forgottenAt = (seen: Instant): Instant => addDays(seen, ERRORS_KEPT_DAYS);

const isForgotten = (seen: Instant, now: Instant): boolean => forgottenAt(seen) <= now;

/**
 * Each group has an item in a shard of the list, a counter, and a ring of positions for its reports; the counter
 * determines the position of the next report. So the space of a group is constant, and a report costs few writes: one
 * increment, the report, and once a minute the group itself.
 */
export class StoredErrorReports extends OnTable implements ErrorReports {
  async readGroup(fingerprint: string, now: Instant): Promise<ReadGroup> {
    const item = await this.table.get(supportKeys.errorGroup(fingerprint));
    const group = item?.data;
    return {
      group: group && !isForgotten(group.last_seen, now) ? group : undefined,
      version: item?.version ?? null,
    };
  }

  saveGroup(_permit: Permit, group: ErrorGroup, { version }: ReadGroup): Promise<boolean> {
    return this.table.put(
      itemOf(supportKeys.errorGroup(group.fingerprint), group, expiryAt(forgottenAt(group.last_seen))),
      ifUnchanged(version),
    );
  }

  async count(_permit: Permit, fingerprint: string, by: number, now: Instant): Promise<number | null> {
    const options = { expires_at: expiryAt(forgottenAt(now)), volatile: true, hurried: true };
    try {
      return await this.table.increment(supportKeys.errorCount(fingerprint), by, options);
    } catch (error) {
      if (error instanceof StoreBusy) return null;
      throw error;
    }
  }

  async uncount(_permit: Permit, fingerprint: string, by: number, now: Instant): Promise<void> {
    // The counter expires after a day without another report of the group.
    await this.table.increment(supportKeys.errorCount(fingerprint), -by, {
      expires_at: expiryOfDay(now),
      volatile: true,
    });
  }

  countNewGroup(_permit: Permit, scope: string, by: 1 | -1, now: Instant): Promise<number> {
    const key = supportKeys.newErrorGroups(scope, dayOf(now));
    return this.table.increment(key, by, { expires_at: expiryOfDay(now), volatile: true });
  }

  async keep(_permit: Permit, report: ErrorReport, number: number): Promise<void> {
    const key = supportKeys.errorReport(report.fingerprint, number % REPORTS_KEPT);
    await this.table.put(itemOf(key, report, expiryAt(forgottenAt(report.received_at))));
  }

  async *groups(now: Instant): AsyncGenerator<ErrorGroup> {
    for await (const group of recordsOfShards(this.table, supportKeys.errorGroups)) {
      if (!isForgotten(group.last_seen, now)) yield group;
    }
  }

  counts(fingerprints: readonly string[], now: Instant): Promise<number[]> {
    return readCounts(this.table, fingerprints.map(supportKeys.errorCount), {
      expires_at: expiryAt(forgottenAt(now)),
    });
  }

  async reports(fingerprint: string, now: Instant): Promise<ErrorReport[]> {
    const places = Array.from({ length: REPORTS_KEPT }, (_, place) => supportKeys.errorReport(fingerprint, place));
    const items = await this.table.getMany(places);
    return items
      .flatMap((item) => (item ? [item.data] : []))
      .filter(({ received_at }) => !isForgotten(received_at, now))
      .sort((a, b) => b.id - a.id);
  }
}
