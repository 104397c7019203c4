import { describe, expect, test } from 'vitest';
import {
  NEW_GROUPS_OF_APP,
  NEW_GROUPS_OF_STORE,
  notingOverflow,
  overflowGroup,
  overflowText,
  reachedBound,
  uncountedNew,
  withOverflow,
} from '../../../domain/support/error-group.ts';
import type { ErrorReport } from '../../../domain/support/error-report.ts';
import { isFingerprint, overflowFingerprintOf } from '../../../domain/support/fingerprint.ts';

const REPORT: ErrorReport = {
  id: 1,
  fingerprint: overflowFingerprintOf('ab'.repeat(32)),
  received_at: '2026-11-21T08:00:00.000Z',
  app_bundle_id: 'com.example.timer',
  app_version: '1.0.0',
  os_version: null,
  device_model: null,
  error_type: 'crash',
  error_message: 'a',
  stack_trace: null,
  context: null,
};

describe('a new group of errors', () => {
  test.each([
    [1, 1, null],
    [NEW_GROUPS_OF_APP, NEW_GROUPS_OF_STORE, null],
    [NEW_GROUPS_OF_APP + 1, 1, 'app'],
    [1, NEW_GROUPS_OF_STORE + 1, 'store'],
    [NEW_GROUPS_OF_APP + 1, NEW_GROUPS_OF_STORE + 1, 'app'],
  ] as const)('new group number %i of its application and %i of the store exceeds the limit: %s', (ofApp, ofStore, bound) => {
    expect(reachedBound({ ofApp, ofStore })).toBe(bound);
  });
});

test.each([
  ['made', []],
  ['made_by_another', ['app', 'store']],
  ['app', ['store']],
  ['store', []],
] as const)('a report of a new group that became %s is removed from the counts of %j', (became, bounds) => {
  expect(uncountedNew(became)).toEqual(bounds);
});

describe('the overflow group', () => {
  test('the overflow group is made with its first report and updated at most once a minute', () => {
    const first = overflowGroup(REPORT, 'app');
    const at = (received_at: string) => notingOverflow({ ...REPORT, received_at }, 'app');
    expect(at(REPORT.received_at)(undefined)).toEqual(first);
    expect(at('2026-11-21T08:00:59.999Z')(first)).toBeNull();
    expect(at('2026-11-21T08:01:00.000Z')(first)).toEqual(withOverflow(first, '2026-11-21T08:01:00.000Z'));
  });

  test('the overflow group has a valid fingerprint that no error has', () => {
    expect(REPORT.fingerprint).toBe(`v1:overflow-${'ab'.repeat(16)}`);
    expect(isFingerprint(REPORT.fingerprint)).toBe(true);
  });

  test('each application has one overflow group and all applications share another', () => {
    const texts = [
      overflowText('app', 'a'),
      overflowText('app', 'b'),
      overflowText('app', '*'),
      overflowText('store', 'a'),
      overflowText('store', 'b'),
    ];
    expect(new Set(texts).size).toBe(4);
    expect(texts[3]).toBe(texts[4]);
  });

  test.each([
    ['app', 'com.example.timer', 'this application had more than 1000 new errors'],
    ['store', '*', 'all applications together had more than 10000 new errors'],
  ] as const)('the overflow group of the %s says in its title why it exists', (bound, app_bundle_id, why) => {
    const group = overflowGroup(REPORT, bound);
    expect(group).toMatchObject({ app_bundle_id, first_seen: REPORT.received_at, versions: [], frames: [] });
    expect(group.title).toContain(why);
  });

  test('the overflow group is updated once a minute, whatever versions report', () => {
    const group = overflowGroup(REPORT, 'app');
    expect(withOverflow(group, '2026-11-21T08:00:59.999Z')).toBeNull();
    expect(withOverflow(group, '2026-11-21T07:00:00.000Z')).toBeNull();
    const later = '2026-11-21T08:01:00.000Z';
    expect(withOverflow(group, later)).toEqual({ ...group, last_seen: later });
  });
});
