import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostOptions, Readiness } from '../../adapters/host/host.ts';
import type { StoreClock } from '../../adapters/store/store-clock.ts';
import { StoreUnavailable, type Table } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { ObjectExists, type ObjectStore } from '../../ports/outbound/object-store.ts';

const PROBE = {
  key: 'doctor/probe',
  bytes: Buffer.from('written by doctor to see whether objects can be read back\n'),
};

/** True if the store returns the bytes of an object that it accepts. The object is the same each time. */
export const givesBack = async (objects: ObjectStore): Promise<boolean> => {
  await objects.put(grantPermit(), PROBE.key, Readable.from([PROBE.bytes]));
  const opened = await objects.open(PROBE.key);
  return opened !== undefined && (await buffer(opened.stream)).equals(PROBE.bytes);
};

/** True if the store refuses other bytes under the key of an object that `givesBack` has written. */
export const keepsFirst = async (objects: ObjectStore): Promise<boolean> => {
  try {
    await objects.put(grantPermit(), PROBE.key, Readable.from([Buffer.from('other bytes\n')]));
    return false;
  } catch (error) {
    if (error instanceof ObjectExists) return true;
    throw error;
  }
};

/**
 * The time, in milliseconds, after which a part without a response counts as failing, and for which a result is cached.
 */
const BOUND_MS = 5000;

type Checked = {
  readonly table: Table;
  readonly objects: ObjectStore;
  readonly storeClock: Pick<StoreClock, 'note'>;
};

/**
 * The checks of a host. `health` reads the table. `ready` tries a small write on each part, at most once in five
 * seconds however many requests arrive; a part's fault goes to `fault`, because the response only names the failing
 * part.
 */
export const checksOf = (
  { table, objects, storeClock }: Checked,
  fault: (error: unknown) => void,
): Required<Pick<HostOptions, 'health' | 'ready'>> => {
  const tries: Readonly<Record<keyof Readiness, () => Promise<unknown>>> = {
    table: () => storeClock.note(table),
    files: () => givesBack(objects),
  };
  let cached: Promise<Readiness> | undefined;
  const isFine = async (part: keyof Readiness): Promise<boolean> => {
    const timeout = delay(BOUND_MS, 'timeout', { ref: false });
    try {
      if ((await Promise.race([tries[part](), timeout])) === 'timeout')
        throw new StoreUnavailable(`The ${part} took longer than ${BOUND_MS / 1000} seconds.`);
      return true;
    } catch (error) {
      fault(error);
      return false;
    }
  };
  const look = async (): Promise<Readiness> => {
    const [table, files] = await Promise.all([isFine('table'), isFine('files')]);
    setTimeout(() => {
      cached = undefined;
    }, BOUND_MS).unref();
    return { table, files };
  };
  const ready = (): Promise<Readiness> => {
    cached ??= look();
    return cached;
  };
  return { health: () => table.ping(), ready };
};
