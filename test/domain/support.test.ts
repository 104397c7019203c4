import { describe, expect, test } from 'vitest';
import { newGroup, seenWith, withReport } from '../../domain/support/error-group.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';
import { isJoined, joinedUntil, reportIdentity, reportObjectKey } from '../../domain/support/ticket.ts';

const REPORT: ErrorReport = {
  id: 1,
  fingerprint: `v1:${'0'.repeat(32)}`,
  received_at: '2026-11-21T08:00:00.000Z',
  app_bundle_id: 'com.example.timer',
  app_version: '1.0.0',
  os_version: null,
  device_model: null,
  error_type: 'crash',
  error_message: `  First line ${'x'.repeat(300)}\nsecond`,
  stack_trace: null,
  context: null,
};

describe('a group of errors', () => {
  const first = newGroup(REPORT, { exception: 'TypeError', frames: ['tick jane@example.com'] });

  test('begins with its first report, and shows nothing that is taken out of reports', () => {
    expect(first).toMatchObject({ first_seen: REPORT.received_at, last_seen: REPORT.received_at, versions: ['1.0.0'] });
    expect([first.title.length, first.title.startsWith('First line'), first.frames]).toEqual([
      200,
      true,
      ['tick [email]'],
    ]);
  });

  test('was last seen with the latest of its reports, which it may not have been written for', () => {
    const at = (received_at: string) => ({ ...REPORT, received_at });
    const reports = [at('2026-11-21T08:00:40.000Z'), at('2026-11-21T08:00:50.000Z'), at('2026-11-21T07:00:00.000Z')];
    expect(seenWith(first, reports)).toEqual({ ...first, last_seen: '2026-11-21T08:00:50.000Z' });
    expect(seenWith(first, [])).toEqual(first);
  });

  test.each([
    ['2026-11-21T08:00:59.999Z', '1.0.0', null],
    ['2026-11-21T08:01:00.000Z', '1.0.0', { last_seen: '2026-11-21T08:01:00.000Z', versions: ['1.0.0'] }],
    ['2026-11-21T08:00:01.000Z', '1.1.0', { last_seen: '2026-11-21T08:00:01.000Z', versions: ['1.0.0', '1.1.0'] }],
    ['2026-11-21T07:59:00.000Z', '0.9.0', { last_seen: REPORT.received_at, versions: ['1.0.0', '0.9.0'] }],
  ])('with one at %s of version %s is written as %j', (received_at, app_version, written) => {
    const next = withReport(first, { ...REPORT, received_at, app_version });
    if (written === null) expect(next).toBeNull();
    else expect(next).toEqual({ ...first, ...written });
  });

  test('names the last 20 versions', () => {
    let group = first;
    for (let n = 1; n <= 30; n++) group = withReport(group, { ...REPORT, app_version: `2.${n}` }) ?? group;
    expect([group.versions.length, group.versions.at(0), group.versions.at(-1)]).toEqual([20, '2.11', '2.30']);
  });
});

describe('a ticket', () => {
  const opened = '2026-11-21T08:00:00.000Z';

  test('is joined for 24 hours, to the millisecond', () => {
    expect(joinedUntil(opened)).toBe('2026-11-22T08:00:00.000Z');
    expect(isJoined(opened, '2026-11-22T07:59:59.999Z')).toBe(true);
    expect(isJoined(opened, '2026-11-22T08:00:00.000Z')).toBe(false);
  });

  test('is the same for the same kind, app and text, and only then', () => {
    const report = {
      kind: 'general' as const,
      summary: 'a',
      detail: 'b c',
      app_bundle_id: null,
      app_version: null,
      macos_version: null,
      device_id: null,
    };
    const same = { ...report, detail: ' b\r\n\tc ', app_version: '2', macos_version: '15', device_id: 'x' };
    expect(reportIdentity(same)).toBe(reportIdentity(report));
    const others = [
      { kind: 'refund_request' as const },
      { summary: 'a b', detail: 'c' },
      { detail: 'B c' },
      { app_bundle_id: 'null' },
    ];
    const identities = [{}, ...others].map((more) => reportIdentity({ ...report, ...more }));
    expect(new Set(identities).size).toBe(identities.length);
  });

  test('has its files where all of a day lie together', () => {
    expect(reportObjectKey(opened, 'ab')).toBe('reports/2026-11-21/ab');
  });
});
