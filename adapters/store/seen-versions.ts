import { OneAtATime } from '../../application/shared/one-at-a-time.ts';
import { type CountedAs, IN_USE_DAYS, type SeenVersions, withDevice } from '../../domain/devices/versions-in-use.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { expiryAt } from './expiry.ts';
import { deviceKeys } from './keys/devices.ts';
import { allRecords, ifUnchanged, itemOf } from './records.ts';
import { OnTable } from './repository.ts';

const NONE: SeenVersions = { versions: [], others: 0 };

/**
 * Counts devices by the day on which they were last seen, and by version. A device that is seen again leaves its former
 * place, so the sum of 30 days has each device once. The counts follow the device's own record in writes of their own,
 * so that devices never wait for each other: a process that dies between both leaves a device counted where it was, at
 * most until its day is over 30 days old.
 */
export class SeenVersionCounts extends OnTable {
  readonly #turns = new OneAtATime();

  of(product_id: number, since: string): Promise<SeenVersions[]> {
    return allRecords(this.table, deviceKeys.seenVersionsFrom(product_id, since));
  }

  async move(product_id: number, device_id: string, from?: CountedAs, to?: CountedAs): Promise<void> {
    if (isSameJson(from ?? null, to ?? null)) return;
    const add = (at: CountedAs | undefined, by: 1 | -1) => at && this.#add(product_id, device_id, at, by);
    await Promise.all([add(from, -1), add(to, 1)]);
  }

  #add(product_id: number, device_id: string, { day, version }: CountedAs, by: 1 | -1): Promise<void> {
    const key = deviceKeys.seenVersions(product_id, day, device_id);
    const end = expiryAt(addDays(`${day}T00:00:00.000Z`, IN_USE_DAYS + 1));
    return this.#turns.run(`${key.pk} ${key.sk}`, async () => {
      for (;;) {
        const item = await this.table.get(key);
        if (!item && by < 0) return;
        const counted = itemOf(key, withDevice(item?.data ?? NONE, version, by), end);
        if (await this.table.put(counted, ifUnchanged(item?.version ?? null))) return;
      }
    });
  }
}
