import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import { type Trial, trialForgottenAt, trialMonth } from '../../domain/licensing/trial.ts';
import { hasPassed, type Instant } from '../../domain/shared/instant.ts';
import type { ReadTrial, TrialMonth, Trials } from '../../ports/outbound/licensing.ts';
import { expiryAt } from './expiry.ts';
import { licensingKeys } from './keys/licensing.ts';
import { ifUnchanged, itemOf, readCounts } from './records.ts';
import { Audited } from './repository.ts';

/**
 * Each trial has one item, which its start writes only if there is none. Starts and conversions are counted after
 * their write, both in the month of the start; a process that dies in between leaves one uncounted.
 */
export class StoredTrials extends Audited implements Trials {
  async find(
    product_id: number,
    device_id: string,
    now: Instant,
    options?: { readonly consistent: boolean },
  ): Promise<ReadTrial> {
    const item = await this.table.get(licensingKeys.trial(product_id, device_id), options);
    const trial = item && !hasPassed(trialForgottenAt(item.data), now) ? item.data : undefined;
    return { trial, version: item?.version ?? null };
  }

  async start(_permit: Permit, device_id: string, trial: Trial, { version }: ReadTrial): Promise<boolean> {
    const started = await this.table.put(trialItem(device_id, trial), ifUnchanged(version));
    if (started) await this.#count(trial, 'started', 1);
    return started;
  }

  async convert(_permit: Permit, device_id: string, trial: Trial, { version }: ReadTrial): Promise<void> {
    // A license check waits for both, so they run in parallel, and the loser of a race takes its count back.
    const [converted] = await Promise.all([
      this.table.put(trialItem(device_id, trial), ifUnchanged(version)),
      this.#count(trial, 'converted', 1),
    ]);
    if (!converted) await this.#count(trial, 'converted', -1);
  }

  revise(permit: Permit, device_id: string, trial: Trial, read: ReadTrial): Promise<boolean> {
    const { product_id } = trial;
    const event = auditEvent({ kind: 'trial', id: device_id, product_id }, 'changed', read.trial, trial);
    return this.table.transact([
      { put: trialItem(device_id, trial), condition: ifUnchanged(read.version) },
      this.trail.entry(permit, event),
    ]);
  }

  async months(product_id: number, months: readonly string[]): Promise<TrialMonth[]> {
    const counted = (what: 'started' | 'converted') =>
      readCounts(
        this.table,
        months.map((month) => licensingKeys.trialCount(product_id, month, what)),
      );
    const [started, converted] = await Promise.all([counted('started'), counted('converted')]);
    return months.map((month, n) => ({ month, started: started[n] ?? 0, converted: converted[n] ?? 0 }));
  }

  async #count(trial: Trial, what: 'started' | 'converted', by: 1 | -1): Promise<void> {
    await this.table.increment(licensingKeys.trialCount(trial.product_id, trialMonth(trial), what), by);
  }
}

const trialItem = (device_id: string, trial: Trial) =>
  itemOf(licensingKeys.trial(trial.product_id, device_id), trial, expiryAt(trialForgottenAt(trial)));
