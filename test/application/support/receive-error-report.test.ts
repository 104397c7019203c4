import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, MINUTE_MS, millis, toInstant } from '../../../domain/shared/instant.ts';
import { ERRORS_KEPT_DAYS, type ErrorDetails, REPORTS_KEPT } from '../../../domain/support/error-report.ts';
import { support } from '../../../runtimes/composition/areas/support.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { NOW } from '../../support/builders.ts';
import { aClock, countedIds, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';
import { aCrash, SENDER } from '../../support/report-builders.ts';

const aDesk = () => {
  const clock = aClock();
  const service = bootstrap(SETTINGS, memoryEngines(), [support], { clock, ids: countedIds(), pauses: noPauses });
  const shown = async (fingerprint: string) => {
    const report = done(await service.get('showReport')(fingerprint));
    if (report.kind !== 'error') throw new Error('A ticket has no fingerprint.');
    return report;
  };
  return {
    clock,
    shown,
    receive: async (details: ErrorDetails, permit = PERMIT) =>
      done(await passed(service.get('receiveErrorReport')({ body: details, owner: SENDER }), permit)).report,
    groups: () => Array.fromAsync(service.get('errorReports').groups(clock.at)),
  };
};

let desk: ReturnType<typeof aDesk>;
beforeEach(() => {
  desk = aDesk();
});

describe('the group of an error', () => {
  test('reports of the same function are grouped, whatever their versions, messages and lines', async () => {
    const { group } = await desk.receive(aCrash('tick'));
    const again = aCrash('tick', { app_version: '1.1.0', error_message: 'TypeError: no hand 7' });
    const moved = { ...again, stack_trace: '    at tick (clock.js:99:7)' };
    expect((await desk.receive(moved)).group).toBe(group);
    expect(await desk.shown(group)).toMatchObject({ count: 2, group: { versions: ['1.0.0', '1.1.0'] } });
  });

  test.each<[string, ErrorDetails]>([
    ['function', aCrash('tock')],
    ['application', aCrash('tick', { app_bundle_id: 'com.example.notes' })],
    ['type', aCrash('tick', { error_type: 'warning' })],
  ])('a report of another %s has its own group', async (_, other) => {
    await desk.receive(aCrash('tick'));
    await desk.receive(other);
    expect(await desk.groups()).toHaveLength(2);
  });

  test('reports without a stack trace are grouped by their message without its numbers', async () => {
    const tell = (error_message: string) => desk.receive(aCrash('', { stack_trace: null, error_message }));
    const { group } = await tell('Disk 1 is full');
    expect((await tell('Disk 22 is full')).group).toBe(group);
    expect((await tell('Disk 1 is empty')).group).not.toBe(group);
  });

  test('a group counts every report and keeps the newest', async () => {
    let group = '';
    for (let n = 0; n < REPORTS_KEPT + 2; n++) ({ group } = await desk.receive(aCrash('tick')));
    const { count, reports } = await desk.shown(group);
    expect([count, reports.length, reports[0]?.id, reports.at(-1)?.id]).toEqual([22, 20, 22, 3]);
  });

  test('a group remembers when it was first and last reported', async () => {
    const { group } = await desk.receive(aCrash('tick'));
    desk.clock.at = toInstant(millis(NOW) + 5 * MINUTE_MS);
    await desk.receive(aCrash('tick'));
    expect((await desk.shown(group)).group).toMatchObject({ first_seen: NOW, last_seen: desk.clock.at });
  });

  test('a group without reports for 90 days is deleted and starts over', async () => {
    await desk.receive(aCrash('tick'));
    desk.clock.at = addDays(NOW, ERRORS_KEPT_DAYS - 1);
    expect(await desk.groups()).toHaveLength(1);
    desk.clock.at = addDays(NOW, ERRORS_KEPT_DAYS + 1);
    expect(await desk.groups()).toEqual([]);
    const { group } = await desk.receive(aCrash('tick'));
    expect(await desk.shown(group)).toMatchObject({ group: { first_seen: desk.clock.at }, reports: { length: 1 } });
  });

  test('simultaneous first reports are all counted in one group', async () => {
    const told = await Promise.all(Array.from({ length: 5 }, () => desk.receive(aCrash('tick'))));
    expect(new Set(told.map(({ group }) => group)).size).toBe(1);
    expect(await desk.shown(told[0]?.group ?? '')).toMatchObject({ count: 5, reports: { length: 5 } });
  });
});

test('no error is stored until the permit of its report is granted', async () => {
  expect(await withoutPermit((permit) => desk.receive(aCrash('tick'), permit))).toBe(true);
  expect(await desk.groups()).toEqual([]);
});
