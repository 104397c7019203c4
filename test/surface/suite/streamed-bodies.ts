import { describe, expect, test } from 'vitest';
import { LAMBDA_PAYLOAD_BYTES } from '../../../adapters/lambda-events/deployment.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { aKey, aStranger } from '../buyers.ts';
import { send } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { sendRaw } from '../raw.ts';
import { MAX_FILE, MIB, REPORTS, reportFields, reportForm } from '../report-forms.ts';
import { withinOneMinute } from '../times.ts';

/**
 * Tests responses that are sent before the whole body arrives. Lambda is excluded, because it only receives whole
 * bodies.
 */
export const streamedBodiesSuite = (mount: () => Mount, open: OpenMount): void => {
  const head = '--x\r\nContent-Disposition: form-data; name="bundle"; filename="a.zip"\r\n\r\n';
  const headersOf = (key: string) => ({
    authorization: `Bearer ${key}`,
    'content-type': 'multipart/form-data; boundary=x',
  });

  test('a report file of 20 MiB is accepted, and one byte more is 413', async () => {
    const { key } = await aStranger(mount().service);
    const taken = await send(mount(), 'POST', REPORTS, {
      key,
      form: reportForm(reportFields(), { bytes: Buffer.alloc(MAX_FILE) }),
    });
    expect([taken.status, taken.body.ticket.bundle.size]).toEqual([201, MAX_FILE]);
    const over = await send(mount(), 'POST', REPORTS, {
      key,
      form: reportForm(reportFields(), { bytes: Buffer.alloc(MAX_FILE + 1) }),
    });
    expect([over.status, over.body.message]).toEqual([413, expect.stringContaining(String(MAX_FILE))]);
    expect(LAMBDA_PAYLOAD_BYTES).toBeLessThan(MAX_FILE);
  });

  test('a report form with a content length of 60 MiB is 413 before its body arrives', async () => {
    const { key } = await aStranger(mount().service);
    const headers = { ...headersOf(key), 'content-length': String(60 * MIB) };
    const reply = await sendRaw(mount(), { method: 'POST', path: REPORTS, headers, chunks: [head], unfinished: true });
    expect([reply.status, reply.body.message]).toEqual([413, expect.stringContaining(String(MAX_FILE))]);
  });

  test('a chunked report form is 413 as soon as it exceeds the cap', async () => {
    const { key } = await aStranger(mount().service);
    const chunks = [head, ...Array.from({ length: 21 }, () => Buffer.alloc(MIB))];
    const reply = await sendRaw(mount(), {
      method: 'POST',
      path: REPORTS,
      headers: headersOf(key),
      chunks,
      unfinished: true,
    });
    expect(reply.status).toBe(413);
  });

  test('a report form without a key or its ability is refused before its body is read', async () => {
    const { account } = await aStranger(mount().service);
    const wrong = await aKey(mount().service, account, {
      abilities: ABILITIES.filter((ability) => ability !== 'support.report'),
    });
    const type = 'multipart/form-data; boundary=x';
    for (const [authorization, status] of [
      [undefined, 401],
      [`Bearer ${wrong.value}`, 403],
    ] as const) {
      const headers = { 'content-type': type, ...(authorization && { authorization }) };
      expect(
        (await sendRaw(mount(), { method: 'POST', path: REPORTS, headers, chunks: ['--x\r\n'], unfinished: true }))
          .status,
      ).toBe(status);
    }
  });

  test('a report form over the rate limit is 429 before its body is read', async () => {
    const tight = await open({ perAccount: 1 });
    try {
      await withinOneMinute();
      const { key } = await aStranger(tight.service);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x' };
      await send(tight, 'GET', '/api/library', { key });
      const reply = await sendRaw(tight, {
        method: 'POST',
        path: REPORTS,
        headers,
        chunks: ['--x\r\n'],
        unfinished: true,
      });
      expect(reply.status).toBe(429);
    } finally {
      await tight.close();
    }
  });

  describe('the JSON body of a key above its rate limit', () => {
    const json = { 'content-type': 'application/json' };

    /** A key that has used up its requests of the minute, on its own mount. */
    const exhausted = async (refusals: number, then: (tight: Mount, key: string) => Promise<void>): Promise<void> => {
      const tight = await open({ perAccount: 1 });
      try {
        await withinOneMinute();
        const { key } = await aStranger(tight.service);
        for (let n = 0; n <= refusals; n++) await send(tight, 'GET', '/api/library', { key });
        await then(tight, key);
      } finally {
        await tight.close();
      }
    };
    const statusOf = async (at: Mount, key: string, headers: Record<string, string>, chunks: string[]) => {
      const all = { authorization: `Bearer ${key}`, ...json, ...headers };
      const input = { method: 'POST', path: '/api/device/usage', headers: all, chunks, unfinished: true };
      return (await sendRaw(at, input)).status;
    };

    test('a large or chunked JSON body above the rate limit is 429 before it arrives', () =>
      exhausted(0, async (tight, key) => {
        expect(await statusOf(tight, key, { 'content-length': '100000' }, ['['])).toBe(429);
        expect(await statusOf(tight, key, {}, ['['])).toBe(429);
      }));

    test('a small JSON body of a refused key is 429 before it arrives', () =>
      exhausted(1, async (tight, key) => {
        expect(await statusOf(tight, key, { 'content-length': '100' }, ['['])).toBe(429);
      }));

    test('an error report above the rate limit of its IP address is 429 before its body arrives', () =>
      exhausted(0, async (tight) => {
        const input = { method: 'POST', path: '/api/error-reports', headers: { ...json, 'content-length': '100' } };
        const statuses: number[] = [];
        for (let n = 0; n < 5; n++)
          statuses.push((await sendRaw(tight, { ...input, chunks: [' '.repeat(100)] })).status);
        const over = await sendRaw(tight, { ...input, chunks: ['{'], unfinished: true });
        expect([...statuses, over.status]).toEqual([400, 400, 400, 400, 400, 429]);
      }));
  });

  test('an error report with a content length of 60 MiB is 413 before its body arrives', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(60 * MIB) };
    const input = { method: 'POST', path: '/api/error-reports', headers, chunks: ['{"a":"'], unfinished: true };
    const reply = await sendRaw(mount(), input);
    expect([reply.status, reply.body.message]).toEqual([413, expect.stringContaining(String(512 * 1024))]);
  });
};
