import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readForm } from '../../adapters/http/multipart.ts';
import { Spool } from '../../adapters/http/spool.ts';
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

/** What an upload leaves behind, and what it takes meanwhile. */
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

  const begin = (more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x', ...more };
    const { hostname, port } = new URL(mount.urls.api);
    const req = request({ hostname, port, method: 'POST', path: PATH, headers, agent });
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

  test('lies in a file that nobody else can read, until it is answered', async () => {
    const { req, status } = begin();
    req.write(HEAD + FILE + 'x'.repeat(100_000));
    await expect.poll(spooled).toHaveLength(1);
    const { mode } = statSync(join(folder, spooled()[0] as string));
    expect(mode & 0o777).toBe(0o600);
    req.end('\r\n--x--\r\n');
    expect(await status).toBe(201);
    await expectNothingLeft();
  });

  test('that is refused leaves nothing', async () => {
    const { req, status } = begin();
    req.end(`${FILE}abc\r\n--x--\r\n`);
    expect(await status).toBe(422);
    await expectNothingLeft();
  });

  test('whose file begins after it was refused leaves nothing', async () => {
    const { req, status } = begin();
    req.write(`--x\r\nContent-Disposition: form-data; name="detail"\r\n\r\n${'x'.repeat(MIB / 2)}\r\n${FILE}abc`);
    expect(await status).toBe(413);
    req.destroy();
    // Long enough for a file to be made after the answer.
    await sleep(200);
    await expectNothingLeft();
  });

  test('whose sender has gone before it is read is refused', async () => {
    const req = Object.assign(new PassThrough(), { headers: { 'content-type': 'multipart/form-data; boundary=x' } });
    req.destroy();
    const upload = { part: 'bundle', maxBytes: MIB, required: false };
    const read = readForm(req as unknown as Request, new Spool(), { fieldBytes: MIB, upload });
    expect(await read).toMatchObject({ ok: false, code: 'malformed_body' });
  });

  test('whose sender goes away leaves nothing', async () => {
    const { req } = begin();
    req.write(HEAD + FILE + 'x'.repeat(100_000));
    await expect.poll(spooled).toHaveLength(1);
    req.destroy();
    await expectNothingLeft();
  });

  test('that has no room on the disk is a fault, and ends', async () => {
    rmSync(folder, { recursive: true });
    const { req, status } = begin();
    req.end(`${HEAD}${FILE}abc\r\n--x--\r\n`);
    expect(await status).toBe(500);
    expect(mount.faults).toHaveLength(1);
  });

  test('that is refused in its middle keeps its connection while its sender still writes, so that the answer is read', async () => {
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

  test('of 60 MB is answered while most of it is yet to come, and its sender cut off', async () => {
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
