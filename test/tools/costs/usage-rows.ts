import { storedItem } from '../../../adapters/dynamodb/items.ts';
import { itemOf } from '../../../adapters/store/item-of.ts';
import { deviceKeys } from '../../../adapters/store/keys/devices.ts';
import type { NewItem } from '../../../adapters/store/table.ts';
import { dataJson } from '../../../adapters/store/table-checks.ts';
import { USAGE_KEPT_DAYS } from '../../../domain/devices/usage.ts';
import prices from './prices.json' with { type: 'json' };

/* The arithmetic of the record of the decision on usage: what a hundred million devices cost that report every day. */

const DEVICES = 100_000_000;
const MONTH_DAYS = 30.4;
const KILOBYTE = 1024;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const ITEM_OVERHEAD = 100;

const ACCOUNT = 1_763_798_400_000_123;
const PRODUCT = 12;
const KEY = 1_763_798_400_000_456;

const bytesOf = (item: NewItem): number =>
  Object.entries(storedItem(item, 'abcdefghijkl.123456', dataJson(item))).reduce(
    (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? Buffer.byteLength(value) : 9),
    0,
  );

const dayOf = (n: number): string => `2026-10-${String(n).padStart(2, '0')}`;

/** The item of a day. */
const dayBytes = (commands: object): number => {
  const data = { product_id: PRODUCT, usage_date: dayOf(1), launches: 12, commands: { ...commands }, key_id: KEY };
  return bytesOf(itemOf(deviceKeys.usage(ACCOUNT, PRODUCT, dayOf(1), KEY), data, 1_800_000_000));
};

/** An item of the first `days` of a month, written as short as it goes. */
const monthBytes = (commands: object, days: number): number => {
  const { pk, sk } = deviceKeys.usage(ACCOUNT, PRODUCT, '2026-10', KEY);
  const row = Object.keys(commands).length === 0 ? [12] : [12, commands];
  const all = Object.fromEntries(Array.from({ length: days }, (_, n) => [String(n + 1).padStart(2, '0'), row]));
  return bytesOf({ pk, sk, data: { days: all }, expires_at: 1_800_000_000 });
};

const stored = (bytes: number): number => {
  const { gigabyte_month, point_in_time_gigabyte_month } = prices.dynamodb;
  return ((DEVICES * bytes) / 1e9) * (gigabyte_month + point_in_time_gigabyte_month);
};

const millionsADay = DEVICES / 1e6;

export type UsageCost = { readonly way: string; readonly writing: number; readonly storage: number };

/** Dollars a month, by the way in which days are kept, with these commands in each day. */
export const usageCosts = (commands: object): readonly UsageCost[] => {
  const { million_read_units, million_write_units } = prices.dynamodb;
  const write = (units: number): number => millionsADay * MONTH_DAYS * units * million_write_units;
  const read = (units: number): number => millionsADay * MONTH_DAYS * units * million_read_units;
  const day = dayBytes(commands) + ITEM_OVERHEAD;
  const sizes = Array.from({ length: 31 }, (_, n) => monthBytes(commands, n + 1));
  const rewriting = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / KILOBYTE), 0) / sizes.length;
  const reading = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / (4 * KILOBYTE)), 0) / sizes.length;
  const months = USAGE_KEPT_DAYS / MONTH_DAYS;
  const month = (sizes.at(-1) ?? 0) + ITEM_OVERHEAD;
  return [
    { way: 'an item a day, for 800 days', writing: write(1), storage: stored(800 * day) },
    { way: `an item a day, for ${USAGE_KEPT_DAYS} days`, writing: write(1), storage: stored(USAGE_KEPT_DAYS * day) },
    { way: 'an item a day, for 93 days', writing: write(1), storage: stored(93 * day) },
    {
      way: 'an item a month, rewritten each day',
      writing: write(rewriting) + read(reading),
      storage: stored(months * month),
    },
  ];
};

/** No commands, eight short ones, and so many that a day has two kilobytes. */
export const COMMANDS: Readonly<Record<string, object>> = {
  none: {},
  eight: { open: 12, save: 40, export: 2, print: 1, undo: 30, search: 6, sync: 3, share: 1 },
  many: Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`command-${n + 100}`, n])),
};

/** The row of a way in the record of the decision: dollars a month without commands, with eight and with many. */
export const usageRows = (): string[] => {
  const all = Object.values(COMMANDS).map(usageCosts);
  const dollars = ({ writing, storage }: UsageCost): string =>
    `${Math.round((writing + storage) / 100) * 100}`.replace(/\B(?=(\d{3})+$)/g, ',');
  return (all[0] ?? []).map(({ way }, n) => {
    const cells = all.map((costs) => dollars(costs[n] as UsageCost));
    return `| ${[way, ...cells].join(' | ')} |`;
  });
};
