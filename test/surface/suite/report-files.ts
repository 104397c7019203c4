import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { aStranger, type Buyer } from '../buyers.ts';
import { post, type Reply, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { sendRaw } from '../raw.ts';
import { MIB, REPORTS, reportFields, reportForm } from '../report-forms.ts';
import { withinOneMinute } from '../times.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Tests the files of reports, which are stored as sent and never opened. */
export const reportFilesSuite = (mount: () => Mount): void => {
  let buyer: Buyer;
  beforeAll(async () => {
    buyer = await aStranger(mount().service);
  });

  const upload = (body: FormData, key = buyer.key) => send(mount(), 'POST', REPORTS, { key, form: body });
  const kept = async (ticket_id: number, number: number | null = null) => {
    const opened = await mount().service.get('openReportFile')(ticket_id, number);
    if (!opened.ok) return undefined;
    return { ...opened.value.file, bytes: Buffer.concat(await Array.fromAsync(opened.value.stream)) };
  };
  const raw = (body: string | readonly (string | Buffer)[], type: string, more: object = {}) =>
    sendRaw(mount(), {
      method: 'POST',
      path: REPORTS,
      headers: { authorization: `Bearer ${buyer.key}`, 'content-type': type },
      chunks: typeof body === 'string' ? [body] : body,
      ...more,
    });

  test('a report file is stored with its ticket, byte for byte', async () => {
    const bytes = randomBytes(300_000);
    const { status, body } = await upload(reportForm(reportFields(), { bytes }));
    expect(status).toBe(201);
    const bundle = { name: 'bundle.zip', size: bytes.length, sha256: sha256(bytes) };
    expect(body.ticket.bundle).toEqual(bundle);
    const file = await kept(body.ticket.id);
    expect(file).toMatchObject({ ...bundle, type: 'application/zip', number: 1 });
    expect(file?.object_key).toBe(`reports/${body.ticket.created_at.slice(0, 10)}/${bundle.sha256}`);
    expect(file?.bytes.equals(bytes)).toBe(true);
  });

  test('a report form may omit the file, and its empty fields count as null', async () => {
    const texts = reportFields({ app_bundle_id: '', app_version: '' });
    const first = await upload(reportForm(texts));
    expect([first.status, first.body.ticket.bundle]).toEqual([201, null]);
    const { app_bundle_id, app_version, ...json } = texts;
    expect((await post(mount(), REPORTS, buyer.key, json)).body.deduplicated).toBe(true);
  });

  test('a file field that a browser sends without a file counts as no file', async () => {
    const boundary = 'x7';
    const parts = Object.entries(reportFields()).map(
      ([name, text]) => `--x7\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    );
    const none =
      '--x7\r\nContent-Disposition: form-data; name="bundle"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x7--\r\n';
    const reply = await raw(parts.join('') + none, `multipart/form-data; boundary=${boundary}`);
    expect([reply.status, reply.body.ticket.bundle]).toEqual([201, null]);
  });

  test('a report of an account above 200 MiB of files a day is accepted without its file', async () => {
    await withinOneMinute();
    const eager = await aStranger(mount().service);
    const bytes = randomBytes(1000);
    const sent = (more: number) =>
      mount().service.get('tickets').countFileBytes(grantPermit(), eager.account, more, new Date().toISOString());
    await sent(200 * MIB - bytes.length);
    const last = await upload(reportForm(reportFields(), { bytes }), eager.key);
    expect([last.status, last.body.ticket.bundle?.size]).toEqual([201, bytes.length]);
    const over = await upload(reportForm(reportFields(), { bytes }), eager.key);
    expect([over.status, over.body.ticket.bundle]).toEqual([201, null]);
    expect((await upload(reportForm(reportFields(), { bytes }))).body.ticket.bundle?.size).toBe(bytes.length);
  });

  test('20 concurrent reports with one file make one ticket', async () => {
    const texts = reportFields();
    const bytes = randomBytes(50_000);
    const replies = await Promise.all(Array.from({ length: 20 }, () => upload(reportForm(texts, { bytes }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.ticket.id)).size).toBe(1);
  });

  test.each([
    ['a zip bomb', gzipSync(Buffer.alloc(10 * MIB)), 'application/zip', 'bomb.zip'],
    ['a page', Buffer.from('<script>alert(1)</script>'), 'text/html', 'page.html'],
    ['a program', Buffer.from('#!/bin/sh\nrm -rf /\n'), 'application/x-sh', 'run.sh'],
    ['nothing at all', Buffer.alloc(0), 'application/zip', 'empty.zip'],
  ])('a report file that is %s is stored unopened', async (_, bytes, type, filename) => {
    const { status, body } = await upload(reportForm(reportFields(), { bytes, type, filename }));
    expect([status, body.ticket.bundle]).toEqual([201, { name: filename, size: bytes.length, sha256: sha256(bytes) }]);
    expect((await kept(body.ticket.id))?.bytes.equals(bytes)).toBe(true);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\Jane\\log.zip', 'log.zip'],
    ['진단 ✓.zip', '진단 ✓.zip'],
    ['jane@example.com.zip', '[email]'],
    [`${'x'.repeat(300)}.zip`, 'x'.repeat(255)],
  ])('a report file named %s is renamed to %s, and its object key is unaffected', async (filename, name) => {
    const { body } = await upload(reportForm(reportFields(), { bytes: Buffer.from('a'), filename }));
    expect(body.ticket.bundle.name).toBe(name);
    expect((await kept(body.ticket.id))?.object_key).toMatch(/^reports\/\d{4}-\d\d-\d\d\/[0-9a-f]{64}$/);
  });

  test('a repeated Idempotency-Key with another file is 409', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const texts = reportFields();
    const ask = (text: string) =>
      send(mount(), 'POST', REPORTS, {
        key: buyer.key,
        form: reportForm(texts, { bytes: Buffer.from(text) }),
        headers,
      });
    const [first, again, other] = [await ask('a'), await ask('a'), await ask('b')];
    expect([first.status, again.status, other.status]).toEqual([201, 201, 409]);
    expect(again.body).toEqual(first.body);
  });

  describe('the refusal of a report file', () => {
    const expectErrors = ({ status, body }: Reply, field: string): void => {
      expect([status, Object.keys(body.errors)[0]]).toEqual([422, field]);
    };
    const file = { bytes: Buffer.from('x') };

    test('a report file in a wrong form field, or a second file, is 422', async () => {
      expectErrors(await upload(reportForm(reportFields(), { ...file, name: 'detail' })), 'detail');
      expectErrors(await upload(reportForm(reportFields(), { ...file, name: 'other' })), 'other');
      expectErrors(await upload(reportForm(reportFields(), file, file)), 'bundle');
    });

    test('a report file that is sent as a text field is 422', async () =>
      expectErrors(await upload(reportForm(reportFields({ bundle: 'UEsDBA==' }))), 'bundle'));

    test('a report file beside a bad field is 422, and is not stored', async () => {
      const bytes = randomBytes(1000);
      expectErrors(await upload(reportForm(reportFields({ kind: 'praise' }), { bytes })), 'kind');
      const day = new Date().toISOString().slice(0, 10);
      expect(
        await mount()
          .service.get('objects')
          .stat(`reports/${day}/${sha256(bytes)}`),
      ).toBeUndefined();
    });

    test('a report form with too many or too long fields is 413', async () => {
      const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field-${n}`, 'x']));
      expect((await upload(reportForm({ ...many, ...reportFields() }))).status).toBe(413);
      expect((await upload(reportForm(reportFields({ detail: 'x'.repeat(MIB) })))).status).toBe(413);
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
    ])('a report form with %s is 400', async (_, type, text) => {
      expect((await raw(text, type)).status).toBe(400);
    });

    test('a form part with oversized headers is skipped, and the form is 422 for its missing fields', async () => {
      const long = `--x\r\nContent-Disposition: form-data; name="bundle"; x="${'y'.repeat(100_000)}"; filename="a"\r\n\r\na\r\n--x--\r\n`;
      expectErrors(await raw(long, 'multipart/form-data; boundary=x'), 'kind');
    });
  });
};
