import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Table } from '../../adapters/store/table.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';

/** The arguments for a call of each method. */
type Calls<T> = { readonly [M in keyof T]-?: readonly unknown[] };

const [key, terms] = ['notes/a', { a: 1 }];

export const OBJECT_CALLS: Calls<ObjectStore> = {
  put: [terms, key, Readable.from([]), { size: 0 }],
  stat: [key],
  open: [key, { start: 1, end: 2 }],
  examine: [key, { size: 3 }, 'quick'],
  remove: [terms, key],
  signDownload: [key, terms],
  signUpload: [terms, key, { size: 4 }],
  ping: [],
};

export const TABLE_CALLS: Calls<Table> = {
  get: [{ pk: 'p' }, { consistent: true }],
  getMany: [[{ pk: 'p' }], { consistent: true }],
  query: [{ pk: 'q' }],
  put: [{ pk: 'r' }, 'absent'],
  remove: [{ pk: 's' }, 'present'],
  increment: [{ pk: 't' }, 2, { max: 3 }],
  transact: [[{ put: {} }], { token: 'u' }],
  ping: [],
  close: [],
};

/** Registers a test that each method of a wrapper passes its arguments, its result and its error through unchanged. */
export const forwarding = <T extends object>(name: string, calls: Calls<T>, wrap: (inner: T) => T): void => {
  test.each(
    Object.entries<readonly unknown[]>(calls),
  )(`the mount ${name} passes %s on unchanged`, async (method, args) => {
    const [result, fault] = [{}, new Error('of the inner one')];
    const seen: unknown[] = [];
    const inner = (answer: () => unknown) =>
      wrap({
        [method]: async (...given: unknown[]) => {
          seen.push(given);
          return answer();
        },
      } as T) as Record<string, (...given: readonly unknown[]) => Promise<unknown>>;
    expect(await inner(() => result)[method]?.(...args)).toBe(result);
    await expect(inner(() => Promise.reject(fault))[method]?.(...args)).rejects.toBe(fault);
    expect(seen).toEqual([args, args]);
  });
};
