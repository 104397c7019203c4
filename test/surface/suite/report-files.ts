import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { LAMBDA_PAYLOAD_BYTES } from '../../../ports/inbound/lambda-limits.ts';
import { aKey, aStranger, type Buyer } from '../buyers.ts';
import { post, type Reply, send } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { sendRaw } from '../raw.ts';
import { withinOneMinute } from '../times.ts';

const PATH = '/api/support/reports';
const MIB = 1024 * 1024;
const MAX = 20 * MIB;

const fields = (more: Record<string, string> = {}): Record<string, string> => ({
  kind: 'app_report',
  summary: 'The timer stops',
  detail: randomUUID(),
  ...more,
});

type Part = { name?: string; bytes: Buffer; filename?: string; type?: string };

const form = (texts: Record<string, string>, ...files: Part[]): FormData => {
  const made = new FormData();
  for (const [name, text] of Object.entries(texts)) made.append(name, text);
  for (const { name = 'bundle', bytes, filename = 'bundle.zip', type = 'application/zip' } of files) {
    made.append(name, new Blob([new Uint8Array(bytes)], { type }), filename);
  }
  return made;
};

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Files of reports, which are kept as they came and looked into by nobody. */
export const reportFilesSuite = (mount: () => Mount): void => {
  let buyer: Buyer;
  beforeAll(async () => {
    buyer = await aStranger(mount().service);
  });

  const upload = (body: FormData, key = buyer.key) => send(mount(), 'POST', PATH, { key, form: body });
  const kept = async (ticketId: number, number: number | null = null) => {
    const opened = await mount().service.get('openReportFile').execute(ticketId, number);
    if (!opened.ok) return undefined;
    return { ...opened.value.file, bytes: Buffer.concat(await Array.fromAsync(opened.value.stream)) };
  };
  const raw = (body: string | readonly (string | Buffer)[], type: string, more: object = {}) =>
    sendRaw(mount(), {
      method: 'POST',
      path: PATH,
      headers: { authorization: `Bearer ${buyer.key}`, 'content-type': type },
      chunks: typeof body === 'string' ? [body] : body,
      ...more,
    });

  test('are kept with the ticket, byte for byte', async () => {
    const bytes = randomBytes(300_000);
    const { status, body } = await upload(form(fields(), { bytes }));
    expect(status).toBe(201);
    const bundle = { name: 'bundle.zip', size: bytes.length, sha256: sha256(bytes) };
    expect(body.ticket.bundle).toEqual(bundle);
    const file = await kept(body.ticket.id);
    expect(file).toMatchObject({ ...bundle, type: 'application/zip', number: 1 });
    expect(file?.object_key).toBe(`reports/${body.ticket.created_at.slice(0, 10)}/${bundle.sha256}`);
    expect(file?.bytes.equals(bytes)).toBe(true);
  });

  test('may be left out of a form, whose empty fields are null', async () => {
    const texts = fields({ app_bundle_id: '', app_version: '' });
    const first = await upload(form(texts));
    expect([first.status, first.body.ticket.bundle]).toEqual([201, null]);
    const { app_bundle_id, app_version, ...json } = texts;
    expect((await post(mount(), PATH, buyer.key, json)).body.deduplicated).toBe(true);
  });

  test('that were not chosen in a browser are none', async () => {
    const boundary = 'x7';
    const parts = Object.entries(fields()).map(
      ([name, text]) => `--x7\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    );
    const none =
      '--x7\r\nContent-Disposition: form-data; name="bundle"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x7--\r\n';
    const reply = await raw(parts.join('') + none, `multipart/form-data; boundary=${boundary}`);
    expect([reply.status, reply.body.ticket.bundle]).toEqual([201, null]);
  });

  test('of a report that joins are kept beside the first', async () => {
    const texts = fields();
    const [one, two] = [randomBytes(100), randomBytes(100)];
    const first = await upload(form(texts, { bytes: one }));
    await upload(form(texts));
    const third = await upload(form(texts, { bytes: two, filename: 'more.zip' }));
    expect([third.status, third.body.ticket.reports, third.body.ticket.bundle.name]).toEqual([200, 3, 'more.zip']);
    const { id } = first.body.ticket;
    expect((await kept(id, 1))?.bytes.equals(one)).toBe(true);
    expect((await kept(id, 3))?.bytes.equals(two)).toBe(true);
    expect((await kept(id))?.number).toBe(3);
    expect(await kept(id, 2)).toBeUndefined();
  });

  test('of an account that has sent 200 MiB today are left out, and the report is taken in', async () => {
    await withinOneMinute();
    const eager = await aStranger(mount().service);
    const bytes = randomBytes(1000);
    const sent = (more: number) =>
      mount().service.get('tickets').countFileBytes(eager.account, more, new Date().toISOString());
    await sent(200 * MIB - bytes.length);
    const last = await upload(form(fields(), { bytes }), eager.key);
    expect([last.status, last.body.ticket.bundle?.size]).toEqual([201, bytes.length]);
    const over = await upload(form(fields(), { bytes }), eager.key);
    expect([over.status, over.body.ticket.bundle]).toEqual([201, null]);
    expect((await upload(form(fields(), { bytes }))).body.ticket.bundle?.size).toBe(bytes.length);
  });

  test('sent 20 times at once make one ticket and one object', async () => {
    const texts = fields();
    const bytes = randomBytes(50_000);
    const replies = await Promise.all(Array.from({ length: 20 }, () => upload(form(texts, { bytes }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.ticket.id)).size).toBe(1);
  });

  test.each([
    ['a zip bomb', gzipSync(Buffer.alloc(10 * MIB)), 'application/zip', 'bomb.zip'],
    ['a page', Buffer.from('<script>alert(1)</script>'), 'text/html', 'page.html'],
    ['a program', Buffer.from('#!/bin/sh\nrm -rf /\n'), 'application/x-sh', 'run.sh'],
    ['nothing at all', Buffer.alloc(0), 'application/zip', 'empty.zip'],
  ])('may be %s: it stays closed', async (_, bytes, type, filename) => {
    const { status, body } = await upload(form(fields(), { bytes, type, filename }));
    expect([status, body.ticket.bundle]).toEqual([201, { name: filename, size: bytes.length, sha256: sha256(bytes) }]);
    expect((await kept(body.ticket.id))?.bytes.equals(bytes)).toBe(true);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\Jane\\log.zip', 'log.zip'],
    ['진단 ✓.zip', '진단 ✓.zip'],
    ['jane@example.com.zip', '[email]'],
    [`${'x'.repeat(300)}.zip`, 'x'.repeat(255)],
  ])('named %s are called %s and lie where they always do', async (filename, name) => {
    const { body } = await upload(form(fields(), { bytes: Buffer.from('a'), filename }));
    expect(body.ticket.bundle.name).toBe(name);
    expect((await kept(body.ticket.id))?.object_key).toMatch(/^reports\/\d{4}-\d\d-\d\d\/[0-9a-f]{64}$/);
  });

  test('with an Idempotency-Key are part of what was asked', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const texts = fields();
    const ask = (text: string) =>
      send(mount(), 'POST', PATH, { key: buyer.key, form: form(texts, { bytes: Buffer.from(text) }), headers });
    const [first, again, other] = [await ask('a'), await ask('a'), await ask('b')];
    expect([first.status, again.status, other.status]).toEqual([201, 201, 409]);
    expect(again.body).toEqual(first.body);
  });

  describe('are refused', () => {
    const expectErrors = ({ status, body }: Reply, field: string): void => {
      expect([status, Object.keys(body.errors)[0]]).toEqual([422, field]);
    };
    const file = { bytes: Buffer.from('x') };

    test('in a part that takes none, and where there are two', async () => {
      expectErrors(await upload(form(fields(), { ...file, name: 'detail' })), 'detail');
      expectErrors(await upload(form(fields(), { ...file, name: 'other' })), 'other');
      expectErrors(await upload(form(fields(), file, file)), 'bundle');
    });

    test('as text', async () => expectErrors(await upload(form(fields({ bundle: 'UEsDBA==' }))), 'bundle'));

    test('beside bad fields, and then are kept nowhere', async () => {
      const bytes = randomBytes(1000);
      expectErrors(await upload(form(fields({ kind: 'praise' }), { bytes })), 'kind');
      const day = new Date().toISOString().slice(0, 10);
      expect(
        await mount()
          .service.get('objects')
          .stat(`reports/${day}/${sha256(bytes)}`),
      ).toBeUndefined();
    });

    test('with more fields, or more in them, than a report has', async () => {
      const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field-${n}`, 'x']));
      expect((await upload(form({ ...many, ...fields() }))).status).toBe(413);
      expect((await upload(form(fields({ detail: 'x'.repeat(MIB) })))).status).toBe(413);
    });

    test.each([
      ['no boundary', 'multipart/form-data', 'x'],
      ['no part', 'multipart/form-data; boundary=x', 'just text'],
      [
        'a part that breaks off',
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="bundle"; filename="a"\r\n\r\nabc',
      ],
      ['a header that breaks off', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-da'],
    ])('in a form with %s: 400', async (_, type, text) => {
      expect((await raw(text, type)).status).toBe(400);
    });

    test('behind headers that are longer than names need', async () => {
      const long = `--x\r\nContent-Disposition: form-data; name="bundle"; x="${'y'.repeat(100_000)}"; filename="a"\r\n\r\na\r\n--x--\r\n`;
      expectErrors(await raw(long, 'multipart/form-data; boundary=x'), 'kind');
    });
  });
};

/** What is answered before a body has come whole: not behind Lambda, which is given whole ones of up to 6 MB. */
export const streamedBodiesSuite = (mount: () => Mount, open: OpenMount): void => {
  const head = '--x\r\nContent-Disposition: form-data; name="bundle"; filename="a.zip"\r\n\r\n';
  const headersOf = (key: string) => ({
    authorization: `Bearer ${key}`,
    'content-type': 'multipart/form-data; boundary=x',
  });

  test('a file of 20 MiB is taken, of one byte more 413', async () => {
    const { key } = await aStranger(mount().service);
    const taken = await send(mount(), 'POST', PATH, { key, form: form(fields(), { bytes: Buffer.alloc(MAX) }) });
    expect([taken.status, taken.body.ticket.bundle.size]).toEqual([201, MAX]);
    const over = await send(mount(), 'POST', PATH, { key, form: form(fields(), { bytes: Buffer.alloc(MAX + 1) }) });
    expect([over.status, over.body.message]).toEqual([413, expect.stringContaining(String(MAX))]);
    expect(LAMBDA_PAYLOAD_BYTES).toBeLessThan(MAX);
  });

  test('60 MB are 413 by their length, before anything of them comes', async () => {
    const { key } = await aStranger(mount().service);
    const headers = { ...headersOf(key), 'content-length': String(60 * MIB) };
    const reply = await sendRaw(mount(), { method: 'POST', path: PATH, headers, chunks: [head], unfinished: true });
    expect([reply.status, reply.body.message]).toEqual([413, expect.stringContaining(String(MAX))]);
  });

  test('60 MB without a length are 413 as soon as they are too many', async () => {
    const { key } = await aStranger(mount().service);
    const chunks = [head, ...Array.from({ length: 21 }, () => Buffer.alloc(MIB))];
    const reply = await sendRaw(mount(), {
      method: 'POST',
      path: PATH,
      headers: headersOf(key),
      chunks,
      unfinished: true,
    });
    expect(reply.status).toBe(413);
  });

  test('is not even read without the key or its ability', async () => {
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
        (await sendRaw(mount(), { method: 'POST', path: PATH, headers, chunks: ['--x\r\n'], unfinished: true })).status,
      ).toBe(status);
    }
  });

  test('is not even read over the rate limit', async () => {
    const tight = await open({ perAccount: 1 });
    try {
      await withinOneMinute();
      const { key } = await aStranger(tight.service);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x' };
      await send(tight, 'GET', '/api/library', { key });
      const reply = await sendRaw(tight, {
        method: 'POST',
        path: PATH,
        headers,
        chunks: ['--x\r\n'],
        unfinished: true,
      });
      expect(reply.status).toBe(429);
    } finally {
      await tight.close();
    }
  });

  test('60 MB of an error report are 413 by their length, too', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(60 * MIB) };
    const wish = { method: 'POST', path: '/api/error-reports', headers, chunks: ['{"a":"'], unfinished: true };
    const reply = await sendRaw(mount(), wish);
    expect([reply.status, reply.body.message]).toEqual([413, expect.stringContaining(String(512 * 1024))]);
  });
};
