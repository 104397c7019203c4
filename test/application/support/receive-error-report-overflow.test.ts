import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { DailyBound } from '../../../domain/shared/daily-bound.ts';
import { NEW_GROUPS_OF_APP, NEW_GROUPS_OF_STORE } from '../../../domain/support/error-group.ts';
import { ERROR_BYTES_OF_ADDRESS, ERROR_BYTES_OF_STORE } from '../../../domain/support/error-report.ts';
import { done } from '../../support/outcomes.ts';
import { passed } from '../../support/permits.ts';
import { memoryService } from '../../support/service.ts';

const NOON = '2026-11-21T12:00:00.000Z';
const TOMORROW = '2026-11-22T00:00:00.000Z';
const APP = 'com.example.timer';

let addresses = 0;
/** A different address for each report, so that none reaches its own bound. */
const anAddress = (): string =>
  `10.${Math.floor(++addresses / 65_536)}.${Math.floor(addresses / 256) % 256}.${addresses % 256}`;

const open = () => {
  let now = NOON;
  const service = memoryService({ clock: { now: () => now } });
  const tell = async (name: string, app_bundle_id = APP, more: object = {}, address = anAddress()): Promise<string> => {
    const details = {
      app_bundle_id,
      app_version: '1.0.0',
      os_version: null,
      device_model: null,
      error_type: 'crash' as const,
      error_message: 'It stopped',
      stack_trace: `    at ${name} (app.js:1:1)`,
      context: null,
      ...more,
    };
    const { report } = done(
      await passed(
        service.get('receiveErrorReport')({
          body: details,
          owner: { kind: 'address', address },
        }),
        Promise.resolve(grantPermit()),
      ),
    );
    return report.group;
  };
  /** A function name without digits, because digits are removed from stack frames. */
  const word = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const tellNew = async (count: number, app?: (n: number) => string): Promise<string[]> => {
    const groups: string[] = [];
    for (let n = 0; n < count; n++) groups.push(await tell(`f${word(n)}`, app?.(n)));
    return groups;
  };
  const list = () =>
    service.get('listReports')({ kind: 'error', status: null, app: null, since: null, limit: 100_000 });
  const shown = async (id: string) => {
    const found = await service.get('showReport')(id);
    if (!found.ok || found.value.kind !== 'error') throw new Error(`${id} is not kept.`);
    return found.value;
  };
  return { service, tell, tellNew, list, shown, goTo: (moment: string) => void (now = moment) };
};

describe('the daily limit of an application’s new errors', () => {
  test('a new error above the limit goes to the overflow group, and known errors, other applications and the next day are unaffected', async () => {
    const { tell, tellNew, list, shown, goTo } = open();
    const groups = await tellNew(NEW_GROUPS_OF_APP);
    expect(new Set(groups).size).toBe(NEW_GROUPS_OF_APP);

    const over = await tell('more');
    expect(over).toMatch(/^v1:overflow-/);
    expect(await tell('evenMore')).toBe(over);
    expect(await list()).toHaveLength(NEW_GROUPS_OF_APP + 1);
    const { count, group, reports } = await shown(over);
    expect([count, reports.length, group.app_bundle_id]).toEqual([2, 2, APP]);

    expect(await tell('fa')).toBe(groups[0]);
    expect((await shown(groups[0] as string)).count).toBe(2);
    expect(await tell('more', 'com.example.other')).toMatch(/^v1:[0-9a-f]{32}$/);

    goTo(TOMORROW);
    const next = await tell('more');
    expect(next).toMatch(/^v1:[0-9a-f]{32}$/);
    // The report in the overflow group is not counted again here.
    expect((await shown(next)).count).toBe(1);
  });

  test('errors above one application’s limit do not affect other applications', async () => {
    const { tell, tellNew } = open();
    await tellNew(NEW_GROUPS_OF_STORE + 1);
    expect(await tell('more', 'com.example.other')).toMatch(/^v1:[0-9a-f]{32}$/);
  }, 30_000);

  test('an error that several clients report at once counts as one new error', async () => {
    const { tell, tellNew } = open();
    await tellNew(NEW_GROUPS_OF_APP - 10);
    await Promise.all(Array.from({ length: 5 }, () => tell('same')));
    const others = ['k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's'];
    for (const name of others) expect(await tell(name)).toMatch(/^v1:[0-9a-f]{32}$/);
    expect(await tell('t')).toMatch(/^v1:overflow-/);
  });
});

test('new errors above the store’s limit share one overflow group, whatever their bundle ids', async () => {
  const { tell, tellNew, list, shown } = open();
  const known = (await tellNew(NEW_GROUPS_OF_STORE, (n) => `com.example.app-${n}`))[0];
  const over = await tell('more', 'com.example.one');
  expect(over).toMatch(/^v1:overflow-/);
  expect(await tell('more', 'com.example.another')).toBe(over);
  expect(await list()).toHaveLength(NEW_GROUPS_OF_STORE + 1);
  expect((await shown(over)).group.app_bundle_id).toBe('*');
  expect(await tell('fa', 'com.example.app-0')).toBe(known);
}, 30_000);

describe('the daily limit of stored error bytes', () => {
  const LARGE = { stack_trace: null, error_message: 'x'.repeat(9000) };
  const ADDRESS = '192.0.2.7';
  const spend = (service: ReturnType<typeof open>['service'], bound: DailyBound, owner: string, now = NOON) =>
    service.get('dailyBounds').count(grantPermit(), bound, owner, bound.most, now);

  test('a report above its address’s byte limit is counted in its group and not stored', async () => {
    const { tell, shown, service } = open();
    const group = await tell('first', APP, {}, ADDRESS);
    await spend(service, ERROR_BYTES_OF_ADDRESS, `ADDRESS#${ADDRESS}`);
    expect(await tell('first', APP, {}, ADDRESS)).toBe(group);
    const { count, reports } = await shown(group);
    expect([count, reports.length]).toEqual([2, 1]);
    expect(await tell('first', APP, {}, '192.0.2.8')).toBe(group);
    expect((await shown(group)).reports).toHaveLength(2);
  });

  test('a new error above its address’s byte limit makes no group, and other addresses are unaffected', async () => {
    const { tell, shown, service, goTo } = open();
    await spend(service, ERROR_BYTES_OF_ADDRESS, `ADDRESS#${ADDRESS}`);
    const over = await tell('first', APP, LARGE, ADDRESS);
    expect(over).toMatch(/^v1:overflow-/);
    expect(await tell('second', 'com.example.other', LARGE, ADDRESS)).toBe(over);
    const { count, reports, group } = await shown(over);
    expect([count, reports, group.app_bundle_id]).toEqual([2, [], '*']);
    expect(await service.get('dailyBounds').count(grantPermit(), ERROR_BYTES_OF_STORE, 'all', 0, NOON)).toBe(0);
    goTo(TOMORROW);
    expect(await tell('first', APP, LARGE, ADDRESS)).not.toBe(over);
  });

  test('above the store’s byte limit no report is stored until the next day', async () => {
    const { tell, shown, service, goTo } = open();
    const group = await tell('first');
    await spend(service, ERROR_BYTES_OF_STORE, 'all');
    expect(await tell('first')).toBe(group);
    expect(await tell('second')).toMatch(/^v1:overflow-/);
    expect((await shown(group)).reports).toHaveLength(1);
    goTo(TOMORROW);
    await tell('first');
    expect((await shown(group)).reports).toHaveLength(2);
  });
});
