import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { StoreUnavailable, type Table, type Write } from '../../../adapters/store/table.ts';
import { EVERY_ENTRY } from '../../support/audited.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';
import { newFile, open } from '../sqlite/folder.ts';
import { ACTOR, CASES, WITHOUT_ENTRY } from './cases.ts';

const PORTS = join(import.meta.dirname, '../../../ports/outbound');

/** The methods of ports that take a permit first, as `Port.method`. */
const writesWithPermit = (): string[] =>
  globSync('**/*.ts', { cwd: PORTS }).flatMap((file) =>
    readFileSync(join(PORTS, file), 'utf8')
      .split(/^export interface /m)
      .slice(1)
      .flatMap((text) => {
        const [port = ''] = text.split(/\W/, 1);
        const methods = text.matchAll(/^ {2}(\w+)\(\s*permit: Permit[,)]/gm);
        return Array.from(methods, ([, method]) => `${port}.${method}`);
      }),
  );

const isEntry = (write: Write): boolean => 'put' in write && write.put.pk.startsWith('AUDIT#');

/** A table that records the transactions with an entry of the audit log, and can fail them. */
class WatchedTable {
  readonly table: Table;
  readonly transactions: (readonly Write[])[] = [];
  /** Makes transactions with an audit entry fail, or those without one. */
  fails: 'with' | 'without' | null = null;

  constructor(table: Table) {
    const transact = table.transact.bind(table);
    const watched = async (writes: readonly Write[]): Promise<boolean> => {
      const tells = writes.some(isEntry);
      if (this.fails === (tells ? 'with' : 'without'))
        throw new StoreUnavailable('The store fails, as the test wants.');
      if (tells) this.transactions.push(writes);
      return transact(writes);
    };
    this.table = new Proxy(table, {
      get: (target, name) => {
        if (name === 'transact') return watched;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }
}

const ENGINES = {
  memory: () => new MemoryTable(),
  sqlite: () => open(newFile()),
} as const;

test('each write of a port with a permit leaves an audit entry or has a reason not to', () => {
  const audited = Object.keys(CASES).map((name) => name.split(',', 1)[0] as string);
  expect(writesWithPermit().toSorted()).toEqual([...new Set([...audited, ...Object.keys(WITHOUT_ENTRY)])].toSorted());
});

describe.each(Object.entries(ENGINES))('on the %s engine', (_, engine) => {
  const openCase = async (name: string) => {
    const own = engine();
    const watched = new WatchedTable(own);
    const service = memoryService({}, { ...memoryEngines(), table: watched.table as never });
    const change = await (CASES[name] as (typeof CASES)[string]).prepare(service);
    const entries = () => Array.fromAsync(service.get('auditLog').list(EVERY_ENTRY));
    return { own, watched, change, entries, before: await entries() };
  };

  test.each(Object.entries(CASES))('the write %s leaves one entry in the same transaction', async (name, {
    action,
    also = [],
  }) => {
    const { watched, change, entries, before } = await openCase(name);
    watched.transactions.length = 0;
    await change();
    const added = (await entries()).filter(({ id }) => !before.some((entry) => entry.id === id));
    expect(added).toMatchObject([action, ...also].map((one) => ({ action: one, by: ACTOR })));
    expect(watched.transactions).toHaveLength(1);
    // The log itself writes entries about changes outside the table.
    expect(watched.transactions[0]?.length).toBeGreaterThan(name === 'AuditLog.add' ? 0 : 1);
  });

  test.each(Object.keys(CASES))('the write %s changes nothing if its entry can’t be written', async (name) => {
    const { own, watched, change, entries, before } = await openCase(name);
    const stored = (await own.dump(0)).entries;
    watched.fails = 'with';
    await expect(change()).rejects.toThrow('The store fails, as the test wants.');
    expect(await entries()).toEqual(before);
    expect((await own.dump(0)).entries).toEqual(stored);
  });

  test('an app whose disconnection was interrupted is logged as disconnected once, however often it is repeated', async () => {
    const { watched, change, entries } = await openCase('ConnectedApps.disconnect');
    watched.fails = 'without';
    await expect(change()).rejects.toThrow('The store fails, as the test wants.');
    watched.fails = null;
    await change();
    const actions = (await entries()).map(({ action }) => action);
    expect(actions).toEqual(['app.disconnected', 'app.connected']);
  });
});
