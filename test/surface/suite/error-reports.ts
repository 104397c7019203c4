import { beforeEach, describe, expect, test } from 'vitest';
import { accessKeys } from '../../../adapters/store/keys/access.ts';
import { countedAddress } from '../../../domain/access/rate-limit.ts';
import { REPORTS_KEPT } from '../../../domain/support/error-report.ts';
import { ENDPOINTS } from '../../../ports/inbound/endpoints.ts';
import { post, type Reply, send } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { sendRaw } from '../raw.ts';
import { withinOneMinute } from '../times.ts';

const PATH = '/api/error-reports';
const KIB = 1024;

let apps = 0;
/** Each case has its own application, so that it sees no groups of other cases. */
const anApp = (): string => `com.example.app-${++apps}-${Math.random().toString(36).slice(2)}`;

const report = <T extends object>(more: T = {} as T) => ({
  app_bundle_id: anApp(),
  app_version: '1.4.0',
  error_type: 'crash',
  error_message: 'Index out of range',
  ...more,
});

export const errorReportsSuite = (mount: () => Mount): void => {
  /** Lowers the count of the local addresses, so that the cases stay below the rate limit, which has its own suite. */
  const uncounted = async (): Promise<void> => {
    const minute = Math.floor(Date.now() / 60_000);
    const counters = ['127.0.0.1', '::1']
      .map(countedAddress)
      .flatMap((address) =>
        [minute, minute + 1].map((window) => accessKeys.requestCount(`reportError#ADDRESS#${address}`, window)),
      );
    const table = mount().service.get('table');
    await Promise.all(counters.map((counter) => table.increment(counter, -1000, { expires_at: 60 * (minute + 3) })));
  };
  beforeEach(uncounted);

  const tell = (body: object) => post(mount(), PATH, undefined, body);
  const groupOf = ({ body }: Reply): string => body.report.group;
  const shown = async (id: string) => {
    const found = await mount().service.get('showReport')(id);
    if (!found.ok || found.value.kind !== 'error') throw new Error(`${id} is not kept.`);
    return found.value;
  };

  test('an error report without secrets is stored as sent', async () => {
    const told = report({
      os_version: '15.1',
      device_model: 'Mac15,3',
      stack_trace: 'at a (b.js:1:2)\n\tat c',
      context: { screen: 'timer', deep: [{ on: true, n: 1.5, none: null }] },
    });
    const reply = await tell(told);
    expect(reply.status).toBe(201);
    const { id, group, received_at } = reply.body.report;
    expect(await shown(group)).toMatchObject({
      count: 1,
      group: { fingerprint: group, title: 'Index out of range', first_seen: received_at, versions: ['1.4.0'] },
      reports: [{ ...told, id, fingerprint: group, received_at }],
    });
  });

  test('an error report may omit its optional fields or send null for them', async () => {
    const nulls = { os_version: null, device_model: null, stack_trace: null, context: null };
    for (const told of [report(), report(nulls)]) {
      const { reports } = await shown(groupOf(await tell(told)));
      expect(reports[0]).toMatchObject(nulls);
    }
  });

  test('an error report needs no credential, and a wrong key is ignored', async () => {
    expect((await post(mount(), PATH, 'svc_wrong', report())).status).toBe(201);
  });

  test('an error report repeated with its Idempotency-Key is counted once', async () => {
    const told = report();
    const headers = { 'Idempotency-Key': anApp() };
    const send1 = (json: object) => send(mount(), 'POST', PATH, { json, headers });
    const [first, again] = [await send1(told), await send1(told)];
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await shown(groupOf(first))).count).toBe(1);
    expect((await send1({ ...told, app_version: '2.0.0' })).status).toBe(409);
  });

  test.each([
    'error_message',
    'app_bundle_id',
    'app_version',
  ])('an error report with a blank %s is 422', async (field) => {
    const { status, body } = await tell({ ...report(), [field]: ' \t\n\u00a0' });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  test('a long error report is stored from its beginning and marked as cut', async () => {
    const reply = await tell(
      report({ error_message: '한'.repeat(9000), stack_trace: 'at a (b.js:1:1)\n'.repeat(3000) }),
    );
    const [kept] = (await shown(groupOf(reply))).reports;
    expect(kept?.truncated).toEqual(['error_message', 'stack_trace']);
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(24 * KIB);
  });

  describe('reports of the same error', () => {
    test(`50 concurrent reports of one error are one group of 50, which stores the newest ${REPORTS_KEPT}`, async () => {
      const told = report();
      const replies = await Promise.all(Array.from({ length: 50 }, () => tell(told)));
      expect(new Set(replies.map(groupOf)).size).toBe(1);
      const { count, reports } = await shown(groupOf(replies[0] as Reply));
      expect([count, reports.length]).toEqual([50, REPORTS_KEPT]);
      expect(new Set(reports.map(({ id }) => id)).size).toBe(REPORTS_KEPT);
    });
  });

  test.each([
    ['app_bundle_id', undefined],
    ['app_bundle_id', ''],
    ['app_bundle_id', 'x'.repeat(256)],
    ['app_version', null],
    ['app_version', 'x'.repeat(51)],
    ['os_version', 'x'.repeat(51)],
    ['device_model', 'x'.repeat(101)],
    ['error_type', 'fatal'],
    ['error_type', undefined],
    ['error_message', undefined],
    ['error_message', 'x'.repeat(10_001)],
    ['error_message', 5],
    ['stack_trace', 'x'.repeat(50_001)],
    ['stack_trace', ['x']],
    ['context', ['a']],
    ['context', []],
    ['context', 'x'],
    ['context', { a: 'x'.repeat(17_000) }],
    ['context', { ['x'.repeat(101)]: 1 }],
    ['context', { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } }],
  ])('an error report with a %s of %j is 422', async (field, value) => {
    const { status, body } = await tell(report({ [field]: value }));
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  describe('an error report of the maximum size', () => {
    test.each([
      ['plain', 'x'],
      ['of three bytes each', '한'],
      ['that JSON escapes', '\u0001'],
      ['of quotation marks', '"'],
      ['of half a pair', '\ud83d'],
      ['of what grows when scrubbed', 'pwd=1,'],
    ])('an error report of the maximum size with characters %s is accepted', async (_, text) => {
      const fill = (length: number) => text.repeat(length / text.length);
      const told = report({
        app_bundle_id: `${anApp()}`.padEnd(255, 'x'),
        error_message: fill(9996),
        stack_trace: fill(49_998),
        context: { note: fill(2400) },
      });
      // Escapes all characters beyond ASCII, as some clients do.
      const json = JSON.stringify(told).replaceAll(
        /[\u0080-\uffff]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const headers = { 'Content-Type': 'application/json' };
      expect((await send(mount(), 'POST', PATH, { text: json, headers })).status).toBe(201);
    });
  });

  test('an error report over 512 KiB is 413', async () => {
    const over = JSON.stringify(report({ padding: 'x'.repeat(512 * KIB) }));
    const chunked = await sendRaw(mount(), {
      method: 'POST',
      path: PATH,
      headers: { 'content-type': 'application/json' },
      chunks: over.match(/[\s\S]{1,65536}/g) as string[],
    });
    expect(chunked.status).toBe(413);
  });
};

/** Tests the rate limit of error reports, which is lower than the general limit of an address. */
export const errorReportRateSuite = (open: OpenMount): void => {
  test('an IP address can send 5 error reports a minute, which count among its requests', async () => {
    const mount = await open();
    try {
      await withinOneMinute();
      const statuses: number[] = [];
      for (let n = 0; n < 7; n++) statuses.push((await post(mount, PATH, undefined, report())).status);
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
      const last = await post(mount, PATH, undefined, report());
      expect(last.headers.get('x-ratelimit-limit')).toBe(String(ENDPOINTS.reportError.perMinute));
      expect(last.headers.get('retry-after')).toMatch(/^\d+$/);
      const other = await send(mount, 'GET', '/api/library');
      expect(other.status).toBe(401);
      const used = Number(other.headers.get('x-ratelimit-limit')) - Number(other.headers.get('x-ratelimit-remaining'));
      // After six of the eight reports, the process knows that the address is over the limit of reports.
      expect(used).toBeGreaterThanOrEqual(7);
    } finally {
      await mount.close();
    }
  });
};
