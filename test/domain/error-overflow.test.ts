import { describe, expect, test } from 'vitest';
import {
  NEW_GROUPS_OF_APP,
  NEW_GROUPS_OF_STORE,
  overflowGroup,
  overflowText,
  reachedBound,
  withOverflow,
} from '../../domain/support/error-overflow.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';
import { isFingerprint, overflowFingerprintOf } from '../../domain/support/fingerprint.ts';

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
  ] as const)('that is number %i of its application and %i of all is over the bound of %s', (ofApp, ofStore, bound) => {
    expect(reachedBound({ ofApp, ofStore })).toBe(bound);
  });
});

describe('the overflow of groups', () => {
  test('has a fingerprint that people can ask for, and no error has', () => {
    expect(REPORT.fingerprint).toBe(`v1:overflow-${'ab'.repeat(16)}`);
    expect(isFingerprint(REPORT.fingerprint)).toBe(true);
  });

  test('is one for each application, and one for all of them', () => {
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
  ] as const)('says why it is there, of the %s', (bound, app_bundle_id, why) => {
    const group = overflowGroup(REPORT, bound);
    expect(group).toMatchObject({ app_bundle_id, first_seen: REPORT.received_at, versions: [], frames: [] });
    expect(group.title).toContain(why);
  });

  test('is written once a minute, whatever versions report', () => {
    const group = overflowGroup(REPORT, 'app');
    expect(withOverflow(group, '2026-11-21T08:00:59.999Z')).toBeNull();
    expect(withOverflow(group, '2026-11-21T07:00:00.000Z')).toBeNull();
    const later = '2026-11-21T08:01:00.000Z';
    expect(withOverflow(group, later)).toEqual({ ...group, last_seen: later });
  });
});
