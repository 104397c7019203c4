import { describe, expect, test } from 'vitest';
import { StoreBusy, type Table } from '../../../adapters/store/table.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ERROR_BYTES_OF_STORE } from '../../../domain/support/error-report.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { passed } from '../../support/permits.ts';
import { memoryService } from '../../support/service.ts';

const NOON = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-21T12:01:00.000Z';

/** A service that counts its table's calls, and whose counters are busy on demand. */
const aDesk = () => {
  const state = { now: NOON, calls: 0, isBusy: false };
  const engines = memoryEngines();
  const table = new Proxy<Table>(engines.table, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...asked: unknown[]) => {
        state.calls++;
        const hurried = name === 'increment' && (asked[2] as { hurried?: boolean } | undefined)?.hurried;
        if (state.isBusy && hurried) throw new StoreBusy('The counter takes no more.');
        return member.apply(target, asked);
      };
    },
  });
  const service = memoryService({ clock: { now: () => state.now } }, { ...engines, table });
  const details = {
    app_bundle_id: 'com.example.timer',
    app_version: '1.0.0',
    os_version: null,
    device_model: null,
    error_type: 'crash' as const,
    error_message: 'It stopped',
    stack_trace: '    at tick (app.js:1:1)',
    context: null,
  };
  let senders = 0;
  const tell = async (count: number): Promise<string> => {
    let group = '';
    for (let n = 0; n < count; n++) {
      const address = `10.1.${Math.floor(++senders / 256)}.${senders % 256}`;
      const asked = { body: details, owner: { kind: 'address', address } as const };
      ({ group } = done(await passed(service.get('receiveErrorReport')(asked))).report);
    }
    return group;
  };
  const shown = async (id: string) => {
    const found = await service.get('showReport')(id);
    if (!found.ok || found.value.kind !== 'error') throw new Error(`${id} is not kept.`);
    return found.value;
  };
  return { state, service, tell, shown };
};

describe('a flood of reports of one error', () => {
  test('10,000 reports in a minute are counted with a twentieth of the usual calls', async () => {
    const { state, tell, shown } = aDesk();
    await tell(1);
    const { calls } = state;
    await tell(1);
    const single = state.calls - calls;
    const group = await tell(9_998);
    expect(state.calls).toBeLessThan((10_000 * single) / 20);
    const { count, reports } = await shown(group);
    expect(count).toBe(10_000);
    expect(reports).toHaveLength(20);
  });

  test('reports of the next minute are counted one by one again', async () => {
    const { state, tell, shown } = aDesk();
    const group = await tell(500);
    const { count } = await shown(group);
    state.now = LATER;
    await tell(7);
    expect((await shown(group)).count).toBe(count + 7);
  });

  test('a report that can’t be counted now is answered, and neither counted nor stored', async () => {
    const { state, tell, shown } = aDesk();
    const group = await tell(3);
    state.isBusy = true;
    expect(await tell(1)).toBe(group);
    state.isBusy = false;
    const { count, reports } = await shown(group);
    expect([count, reports.length]).toEqual([3, 3]);
  });

  test('once the total byte limit is reached, its counter is not read again that day', async () => {
    const { state, service, tell } = aDesk();
    await tell(1);
    await service.get('dailyBounds').count(grantPermit(), ERROR_BYTES_OF_STORE, 'all', ERROR_BYTES_OF_STORE.most, NOON);
    const callsOf = async () => {
      const { calls } = state;
      await tell(1);
      return state.calls - calls;
    };
    const first = await callsOf();
    expect(await callsOf()).toBeLessThan(first - 2);
    expect(await callsOf()).toBe(2);
  });
});
