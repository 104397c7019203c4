import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointRoutes } from '../../adapters/host/endpoint-routes.ts';
import { readForm } from '../../adapters/host/form.ts';
import { createHost } from '../../adapters/host/host.ts';
import { FORMS_AT_ONCE, SpoolFolder } from '../../adapters/host/spool.ts';
import { reportProblem } from '../../ports/inbound/api/support.ts';
import { aStranger } from '../surface/buyers.ts';
import { IN_MEMORY, openExpressMount } from '../surface/express-mount.ts';
import type { Mount } from '../surface/mount.ts';

const PATH = '/api/support/reports';
const MIB = 1024 * 1024;

const HEAD = ['kind', 'general', 'summary', 'a', 'detail', 'b']
  .flatMap((text, n, all) =>
    n % 2 === 0 ? [`--x\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n${all[n + 1]}\r\n`] : [],
  )
  .join('');
const FILE = '--x\r\nContent-Disposition: form-data; name="bundle"; filename="a.zip"\r\n\r\n';

/** Tests the files that an upload leaves behind, and the places that it takes meanwhile. */
describe('an upload', () => {
  const before = process.env['TMPDIR'];
  let folder: string;
  let mount: Mount;
  let key: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spool-'));
    process.env['TMPDIR'] = folder;
    mount = await openExpressMount(IN_MEMORY);
    key = (await aStranger(mount.service)).key;
  });
  afterEach(async () => {
    await mount.close();
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  const agent = new Agent({ keepAlive: true });

  const begin = (more: Record<string, string> = {}, by = agent) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x', ...more };
    const { hostname, port } = new URL(mount.urls.api);
    const req = request({ hostname, port, method: 'POST', path: PATH, headers, agent: by });
    const status = once(req, 'response').then(([res]) => {
      res.resume();
      return res.statusCode as number;
    });
    status.catch(() => {});
    req.on('error', () => {});
    return { req, status };
  };
  const spooled = () => readdirSync(folder).filter((name) => name.startsWith('account-service-upload-'));
  const expectNothingLeft = () => expect.poll(spooled).toEqual([]);

  test('an upload lies in a file that nobody else can read, until it is answered', async () => {
    const { req, status } = begin();
    req.write(HEAD + FILE + 'x'.repeat(100_000));
    await expect.poll(spooled).toHaveLength(1);
    const { mode } = statSync(join(folder, spooled()[0] as string));
    expect(mode & 0o777).toBe(0o600);
    req.end('\r\n--x--\r\n');
    expect(await status).toBe(201);
    await expectNothingLeft();
  });

  test(`an upload is refused with 503 while ${FORMS_AT_ONCE} others come in, and taken once one of them has ended`, async () => {
    const others = Array.from({ length: FORMS_AT_ONCE }, () => begin({}, new Agent()));
    for (const { req } of others) req.write(`${HEAD}${FILE}abc`);
    await expect.poll(spooled, { timeout: 5000 }).toHaveLength(FORMS_AT_ONCE);
    const whole = `${HEAD}${FILE}abc\r\n--x--\r\n`;

    const over = begin();
    over.req.end(whole);
    const [res] = await once(over.req, 'response');
    expect([res.statusCode, res.headers['retry-after']]).toEqual([503, '5']);
    expect(spooled()).toHaveLength(FORMS_AT_ONCE);
    const json = JSON.stringify({ kind: 'general', summary: 'c', detail: 'd' });
    const plain = begin({ 'content-type': 'application/json' });
    plain.req.end(json);
    expect(await plain.status).toBe(201);

    const [first, second, ...rest] = others as [(typeof others)[0], (typeof others)[0], ...typeof others];
    first.req.end('\r\n--x--\r\n');
    expect(await first.status).toBe(201);
    await expect.poll(spooled).toHaveLength(FORMS_AT_ONCE - 1);
    const next = begin();
    next.req.end(whole);
    expect(await next.status).toBe(200);

    // One whose sender goes away leaves its place as well, and one that was refused never took one.
    second.req.destroy();
    await expect.poll(spooled).toHaveLength(FORMS_AT_ONCE - 2);
    for (let n = 0; n < 3; n++) {
      const again = begin();
      again.req.end(whole);
      expect(await again.status).toBe(200);
    }
    for (const { req } of rest) req.destroy();
    await expectNothingLeft();
  });

  test('an upload that is refused leaves nothing', async () => {
    const { req, status } = begin();
    req.end(`${FILE}abc\r\n--x--\r\n`);
    expect(await status).toBe(422);
    await expectNothingLeft();
  });

  test('an upload whose file begins after it was refused leaves nothing', async () => {
    const { req, status } = begin();
    req.write(`--x\r\nContent-Disposition: form-data; name="detail"\r\n\r\n${'x'.repeat(MIB / 2)}\r\n${FILE}abc`);
    expect(await status).toBe(413);
    req.destroy();
    // Long enough for a file to be made after the answer.
    await sleep(200);
    await expectNothingLeft();
  });

  test('an upload whose sender has gone before it is read is refused', async () => {
    const body = new PassThrough();
    body.destroy();
    const sent = {
      method: 'POST',
      path: PATH,
      query: '',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      address: () => '127.0.0.1',
      length: undefined,
      body: () => body,
    };
    const files = { bundle: { maxBytes: MIB, required: false } };
    const spool = new SpoolFolder(folder).take();
    if (!spool) throw new Error('There is no place in a new folder.');
    const read = readForm(sent, spool, { fieldBytes: MIB, files });
    expect(await read).toMatchObject({ ok: false, code: 'malformed_body' });
  });

  test('uploads take no place for good where the use of their key can not be recorded', async () => {
    const table = mount.service.get('table');
    const put = table.put.bind(table);
    table.put = (item, condition) =>
      item.sk.startsWith('KEYS#USE#') || item.pk.startsWith('KEY#')
        ? Promise.reject(new Error('the disk is full'))
        : put(item, condition);
    for (let n = 0; n <= FORMS_AT_ONCE; n++) {
      const { req, status } = begin();
      req.end(`${HEAD}${FILE}abc\r\n--x--\r\n`);
      expect([200, 201]).toContain(await status);
    }
    await expectNothingLeft();
    // Nothing is lost in silence: the log is told of each.
    expect(mount.faults).toHaveLength(FORMS_AT_ONCE + 1);
  });

  test('an upload whose file can not be removed is answered all the same, and the log is told', async () => {
    class Stuck extends SpoolFolder {
      override take() {
        const spool = super.take();
        return spool && Object.assign(spool, { remove: () => Promise.reject(new Error('the disk is gone')) });
      }
    }
    const faults: unknown[] = [];
    const intake = { spool: new Stuck(folder), jsonBodies: mount.service.get('jsonBodies') };
    const routes = endpointRoutes([reportProblem], mount.service.get('invoker'), intake);
    const host = createHost(routes, {
      log: () => {},
      fault: (error) => void faults.push(error),
      health: async () => {},
    });
    const bytes = Buffer.from(`${HEAD}${FILE}abc\r\n--x--\r\n`);
    const { status } = await host.handle({
      method: 'POST',
      path: PATH,
      query: '',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x' },
      address: () => '127.0.0.1',
      length: bytes.length,
      body: () => bytes,
    });
    expect([status, faults]).toEqual([201, [new Error('the disk is gone')]]);
  });

  test('an upload whose sender goes away leaves nothing', async () => {
    const { req } = begin();
    req.write(HEAD + FILE + 'x'.repeat(100_000));
    await expect.poll(spooled).toHaveLength(1);
    req.destroy();
    await expectNothingLeft();
  });

  test('an upload that has no room on the disk is a fault, and ends', async () => {
    rmSync(folder, { recursive: true });
    const { req, status } = begin();
    req.end(`${HEAD}${FILE}abc\r\n--x--\r\n`);
    expect(await status).toBe(500);
    expect(mount.faults).toHaveLength(1);
  });

  test('an upload that is refused in its middle keeps its connection while its sender still writes, so that the answer is read', async () => {
    const { req, status } = begin({ connection: 'close' });
    const gone = once(req, 'socket').then(([socket]) => once(socket, 'close'));
    req.write(`${HEAD}--x\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n${'x'.repeat(100)}`);
    expect(await status).toBe(422);
    const going = setInterval(() => req.write('x'.repeat(1000)), 20);
    const first = await Promise.race([gone.then(() => 'gone'), sleep(400, 'there')]);
    clearInterval(going);
    expect(first).toBe('there');
    req.destroy();
    await gone;
  });

  test('an upload of 60 MB is answered while most of it is yet to come, and its sender cut off', async () => {
    const { req, status } = begin();
    const gone = once(req, 'socket').then(([socket]) => once(socket, 'close'));
    req.write(FILE);
    let sent = 0;
    let ended = false;
    void status.then(() => (ended = true));
    while (!ended && sent < 60 * MIB) {
      sent += MIB;
      if (!req.write(Buffer.alloc(MIB))) await Promise.race([once(req, 'drain'), status]);
    }
    expect(await status).toBe(413);
    expect(sent).toBeLessThan(30 * MIB);
    await expectNothingLeft();
    const going = setInterval(() => req.write('x'), 100);
    await gone;
    clearInterval(going);
  }, 15_000);
});
