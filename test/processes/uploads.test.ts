import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');

const FIELDS = { kind: 'general', summary: 'It stops', detail: 'After a minute.' };
const HEAD = Object.entries(FIELDS)
  .map(([name, text]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
  .join('');
const FILE = '--x\r\nContent-Disposition: form-data; name="bundle"; filename="a.zip"\r\n\r\n';

type Upload = { readonly req: ClientRequest; readonly status: Promise<number> };

/** Tests the memory of a server process while it receives bodies that exceed its buffers. */
describe('the uploads of a server process', () => {
  let prepared: Prepared;
  let server: ServerProcess;
  const spoolFolder = (): string => join(prepared.dataDir, 'spool');
  beforeAll(async () => {
    prepared = await prepareDataDir(1);
    mkdirSync(spoolFolder());
    const left = join(spoolFolder(), 'account-service-upload-left');
    writeFileSync(left, 'of a process that was killed');
    utimesSync(left, 0, 0);
    server = await startServer(prepared.dataDir);
  });
  afterAll(async () => {
    await killServer(server, 'SIGTERM');
    prepared.remove();
  });

  const residentBytes = (): number =>
    1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.child.pid)], { encoding: 'utf8' }));

  const begin = (path: string, type: string): Upload => {
    const headers = { authorization: `Bearer ${prepared.key}`, 'content-type': type };
    const req = request(server.url + path, { method: 'POST', headers, agent: false });
    req.on('error', () => {});
    const status = once(req, 'response').then(([res]) => {
      res.resume();
      return res.statusCode as number;
    });
    status.catch(() => {});
    return { req, status };
  };
  const upload = (): Upload => begin('/api/support/reports', 'multipart/form-data; boundary=x');

  /** Sends `bytes` bytes, or fewer if the response arrives first. Returns the server's peak memory during that time. */
  const feed = async ({ req, status }: Upload, bytes: number): Promise<number> => {
    let [answered, most] = [false, 0];
    status.then(() => (answered = true)).catch(() => {});
    for (let sent = 0; sent < bytes && !answered; sent += PIECE.length) {
      if (!req.write(PIECE)) await Promise.race([once(req, 'drain'), status]);
      if (sent % (4 * MIB) === 0) most = Math.max(most, residentBytes());
    }
    return most;
  };

  const whole = async (): Promise<number> => {
    const one = upload();
    one.req.write(HEAD + FILE);
    await feed(one, 19 * MIB);
    one.req.end('\r\n--x--\r\n');
    return one.status;
  };

  test('uploads are spooled below DATA_DIR, and leftover and aborted ones are removed', async () => {
    await expect.poll(() => readdirSync(spoolFolder())).toEqual([]);
    const one = upload();
    one.req.write(`${HEAD}${FILE}abc`);
    await expect.poll(() => readdirSync(spoolFolder())).toHaveLength(1);
    one.req.destroy();
    await expect.poll(() => readdirSync(spoolFolder())).toEqual([]);
  });

  test('eight concurrent files of 19 MiB are accepted while the process grows by less than 80 MiB', async () => {
    expect(await whole()).toBe(201);
    const before = residentBytes();
    const uploads = Array.from({ length: 8 }, upload);
    for (const { req } of uploads) req.write(HEAD + FILE);
    const most = Math.max(...(await Promise.all(uploads.map((one) => feed(one, 19 * MIB)))));
    for (const { req } of uploads) req.end('\r\n--x--\r\n');
    expect(await Promise.all(uploads.map(({ status }) => status))).toEqual(Array(8).fill(200));
    expect(Math.max(most, residentBytes()) - before).toBeLessThan(80 * MIB);
  });

  test.each([
    ['a file', '/api/support/reports', 'multipart/form-data; boundary=x', HEAD + FILE],
    ['JSON', '/api/error-reports', 'application/json', '{"error_message":"'],
  ])('60 MiB of %s without a length are answered with 413 while the process grows by less than 40 MiB', async (_, path, type, start) => {
    const before = residentBytes();
    const one = begin(path, type);
    one.req.write(start);
    const most = await feed(one, 60 * MIB);
    one.req.end();
    expect(await one.status).toBe(413);
    expect(most - before).toBeLessThan(40 * MIB);
  });
});
