import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Condition, Key, Table, Write } from '../../../adapters/store/table.ts';
import { newPk, stored, type Use } from './helpers.ts';

/** The number of transaction groups that race at the same time, and of rounds, so that some collide in every engine. */
const GROUPS = 8;
const ROUNDS = 12;

/** A way in which one transaction breaks another's check. */
type Breach = {
  readonly isSeeded: boolean;
  readonly write: (key: Key) => Write;
};

const BREACHES: readonly [string, Breach][] = [
  ['adds an item that another requires absent', { isSeeded: false, write: (key) => ({ put: { ...key, data: {} } }) }],
  ['replaces the version that another requires', { isSeeded: true, write: (key) => ({ put: { ...key, data: {} } }) }],
  ['removes the version that another requires', { isSeeded: true, write: (key) => ({ remove: key }) }],
];

const conditionOn = async (table: Table, key: Key, isSeeded: boolean): Promise<Condition> =>
  isSeeded ? { version: (await stored(table, key)).version } : { absent: true };

/**
 * A ring of transactions: each checks its own key and writes the key of the next. The first one breaks the next one's
 * check, which protects the check after that. Returns the number that succeeded.
 */
const race = async (tables: readonly Table[], size: number, { isSeeded, write }: Breach, n: number) => {
  const keys = Array.from({ length: size }, (_, i): Key => ({ pk: newPk(), sk: `ring-${i}` }));
  const table = tables[0] as Table;
  if (isSeeded) for (const key of keys) await table.put({ ...key, data: {} });
  const held = await Promise.all(keys.map((key) => conditionOn(table, key, isSeeded)));
  const done = keys.map((key, i) => {
    const writes: Write[] = [
      { check: key, condition: held[i] as Condition },
      { put: { ...key, sk: `beside-${i}`, data: {} } },
      write(keys[(i + 1) % size] as Key),
    ];
    return (tables[i % tables.length] as Table).transact(n % 2 === 0 ? writes : writes.reverse());
  });
  return (await Promise.all(done)).filter(Boolean).length;
};

const FILLER = 'x'.repeat(30_000);
const GATES = 12;
const GATE_ROUNDS = 8;

/** Breaks a check by a call that is not a transaction. */
const BREAKING: readonly [string, (table: Table, key: Key) => Promise<unknown>][] = [
  ['put', (table, key) => table.put({ ...key, data: { broken: true } })],
  ['removal', (table, key) => table.remove(key)],
];

/**
 * Starts a slow transaction: it checks many gates, then adds an item and much else. Meanwhile each gate is broken, in
 * quick succession, and whoever broke one looks for the item. Returns true if the transaction succeeded although
 * somebody who broke its gate had not found the item yet.
 */
const isOvertaken = async (
  [table, other]: readonly [Table, Table],
  breakGate: (table: Table, key: Key) => Promise<unknown>,
  round: number,
): Promise<boolean> => {
  const pk = newPk();
  const gates = Array.from({ length: GATES }, (_, i): Key => ({ pk, sk: `gate-${i}` }));
  await table.transact(gates.map((gate) => ({ put: { ...gate, data: {} } })));
  const held = await Promise.all(gates.map((gate) => conditionOn(table, gate, true)));
  const item = { pk, sk: 'item' };
  const fillers = Array.from({ length: 80 }, (_, i): Write => ({ put: { pk, sk: `z-${i}`, data: { FILLER } } }));
  const transaction = table.transact([
    ...gates.map((check, i): Write => ({ check, condition: held[i] as Condition })),
    { put: { ...item, data: {} } },
    ...fillers,
  ]);
  const looks = gates.map(async (gate, i) => {
    await delay(round * 3 + i * 2);
    await breakGate(other, gate);
    return (await other.get(item)) !== undefined;
  });
  const found = await Promise.all(looks);
  return (await transaction) && found.includes(false);
};

export const checks = (use: Use, other: Use): void => {
  for (const size of [2, 3]) {
    test.each(
      BREACHES,
    )(`of ${size} simultaneous transactions in a ring, in which each %s, all but one succeed`, async (_, breach) => {
      for (let round = 0; round < ROUNDS; round++) {
        const races = Array.from({ length: GROUPS }, (_, n) => race([use(), other()], size, breach, round + n));
        expect(await Promise.all(races)).toEqual(Array(GROUPS).fill(size - 1));
      }
    });
  }

  test.each(BREAKING)('a transaction writes nothing after a %s broke its check', async (_, breakGate) => {
    for (let round = 0; round < GATE_ROUNDS; round++) {
      expect(await isOvertaken([use(), other()], breakGate, round)).toBe(false);
    }
  });

  test('a successful check leaves its item unchanged, with a valid version', async () => {
    const key = { pk: newPk(), sk: 'item' };
    await use().put({ ...key, data: { n: 1 }, expires_at: 4_102_444_800 });
    const before = await stored(use(), key);
    for (let i = 0; i < 3; i++) {
      const check: Write = { check: key, condition: { version: before.version } };
      expect(await use().transact([check, { put: { ...key, sk: `${i}`, data: {} } }])).toBe(true);
    }
    expect(await use().get(key)).toEqual(before);
  });
};
