import { setTimeout as pause } from 'node:timers/promises';
import { StoredDevices } from '../../../../adapters/store/devices.ts';
import { StoredProductUses } from '../../../../adapters/store/product-uses.ts';
import { StoreUnavailable } from '../../../../adapters/store/table.ts';
import { systemPauses } from '../../../../adapters/system/pauses.ts';
import { SeatDevice } from '../../../../application/licensing/seat-device.ts';
import { Contention } from '../../../../application/shared/contended.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { audited } from '../../../support/audited.ts';
import { aDevice } from '../../../support/builders.ts';
import { modelledTable } from './modelled-table.ts';

/** New devices of one license: so many, over so many processes, and so many milliseconds. */
export type Rush = {
  readonly devices: number;
  readonly processes: number;
  readonly ms: number;
  readonly limit: number | null;
};

export type Measured = Rush & {
  readonly seated: number;
  readonly refused: number;
  /** Devices that got 503. */
  readonly failed: number;
  /** Transactions that the table was asked for, for each device. */
  readonly attempts: number;
  /** Write units for each device that got a slot. */
  readonly units: number;
  readonly throttled: number;
  /** Milliseconds until a device had its answer: half of them, and the last. */
  readonly half: number;
  readonly longest: number;
};

const ACCOUNT = 1;
const PRODUCT = 1;

/** Measures a rush on the model of DynamoDB, in real time. */
export const measureRush = async (rush: Rush): Promise<Measured> => {
  const { devices: count, processes, ms, limit } = rush;
  const { table, written } = modelledTable();
  const devices = new StoredDevices(audited(table));
  const productUses = new StoredProductUses(table);
  const links = { manageDevices: () => '/devices' } as never;
  const seats = Array.from(
    { length: processes },
    () => new SeatDevice({ devices, productUses, links, pauses: systemPauses }),
  );
  const outcomes = { seated: 0, refused: 0, failed: 0 };
  const times: number[] = [];
  const activate = async (n: number): Promise<void> => {
    await pause((ms * n) / count);
    const began = performance.now();
    const newcomer = aDevice({ device_id: `device-${n}` });
    const seat = seats[n % processes] as SeatDevice;
    try {
      const found = await devices.find(ACCOUNT, PRODUCT, newcomer.device_id);
      const permit = Promise.resolve(grantPermit());
      const asked = { accountId: ACCOUNT, productId: PRODUCT, limit, newcomer, found, withdrawn: [], permit };
      outcomes[(await seat.execute(asked)).ok ? 'seated' : 'refused']++;
    } catch (error) {
      if (!(error instanceof Contention || error instanceof StoreUnavailable)) throw error;
      outcomes.failed++;
    }
    times.push(performance.now() - began);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => activate(n)));
  times.sort((a, b) => a - b);
  const round = (value: number): number => Math.round(value * 10) / 10;
  return {
    ...rush,
    ...outcomes,
    attempts: round(written.transactions / count),
    units: round(written.units / Math.max(1, outcomes.seated)),
    throttled: written.throttled,
    half: Math.round(times[Math.floor(count / 2)] ?? 0),
    longest: Math.round(times.at(-1) ?? 0),
  };
};
