import { createServer as overHttp, type RequestListener, type Server } from 'node:http';
import { createServer as overHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { boundedRequest, GIVES_UP_MS, type ProbeSettings, probing } from '../../runtimes/lambda/probe-run.ts';
import { selfSigned } from '../support/certificate.ts';

const KEY = 'as_live_secret-of-the-probe';

type Line = { readonly level: string; readonly fields: Record<string, unknown> & { readonly findings: object[] } };

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const listening = async (server: Server): Promise<number> => {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const served = async (answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(overHttp(answer))}`;

const well = () =>
  served((request, response) => {
    response.statusCode = request.url === '/healthz' ? 200 : 404;
    response.end('{"status":"ok"}');
  });

/** A host that answers a license check with this text. */
const licensing = (text: string, status = 200, seen: object[] = []) =>
  served(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    seen.push({
      call: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(parts).toString()),
    });
    response.statusCode = status;
    response.end(text);
  });

const run = async (settings: Partial<ProbeSettings> & Pick<ProbeSettings, 'apiUrl'>): Promise<Line> => {
  const lines: Line[] = [];
  const given = { stage: 'test', otherUrls: [], license: undefined, ...settings };
  await probing(given, (level, fields) => lines.push({ level, fields: fields as Line['fields'] }))();
  expect(lines).toHaveLength(1);
  return lines[0] as Line;
};

const license = { product: 4, readKey: async () => KEY };

describe('the probe without a key', () => {
  test('a run over healthy hosts logs one line with the metrics of a healthy service', async () => {
    const [apiUrl, other] = [await well(), await well()];
    const { level, fields } = await run({ apiUrl, otherUrls: [other] });
    expect(level).toBe('info');
    expect(fields).toMatchObject({ stage: 'test', function: 'probe', probe_ok: 1, probe_ms: expect.any(Number) });
    expect(fields.findings).toMatchObject([
      { url: `${apiUrl}/healthz`, ok: true, status: 200 },
      { url: `${other}/healthz`, ok: true, status: 200 },
    ]);
  });

  test('a run fails if one of two hosts answers 503, and the line names that host', async () => {
    const ill = await served((_, response) => void response.writeHead(503).end());
    const { level, fields } = await run({ apiUrl: await well(), otherUrls: [ill] });
    expect([level, fields['probe_ok']]).toEqual(['error', 0]);
    expect(fields.findings[1]).toMatchObject({ url: `${ill}/healthz`, ok: false, status: 503, reason: 'status' });
  });

  test('a run fails if nobody listens', async () => {
    const apiUrl = await well();
    for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
    const { fields } = await run({ apiUrl });
    expect(fields).toMatchObject({ probe_ok: 0, findings: [{ ok: false, reason: 'ECONNREFUSED' }] });
  });

  test('a redirect is not followed, because API clients follow none', async () => {
    const to = await well();
    const apiUrl = await served((_, response) => void response.writeHead(302, { location: `${to}/healthz` }).end());
    expect((await run({ apiUrl })).fields).toMatchObject({ probe_ok: 0, findings: [{ status: 302 }] });
  });
});

describe('the probe with a key', () => {
  test('a run checks the license of the product as one fixed device', async () => {
    const seen: object[] = [];
    const apiUrl = await licensing('{"valid": true, "token": "a.b.c"}', 200, seen);
    expect((await run({ apiUrl, license })).fields['probe_ok']).toBe(1);
    expect(seen).toEqual([
      {
        call: 'POST /api/license/check',
        authorization: `Bearer ${KEY}`,
        body: { product_id: 4, device_id: 'synthetic-probe' },
      },
    ]);
  });

  test.each([
    ['a status other than 200', '{"valid": true, "token": "a.b.c"}', 409, 'status'],
    ['a license that is not valid', '{"valid": false, "token": "a.b.c"}', 200, 'not valid'],
    ['an answer without a token', '{"valid": true}', 200, 'no token'],
    ['an answer that is no JSON', '<html>', 200, 'no JSON'],
    ['an answer that is no object', 'null', 200, 'no JSON'],
    ['an answer that has no end', `"${'x'.repeat(70_000)}"`, 200, 'ANSWER_TOO_LARGE'],
  ])('a probe with %s fails', async (_, text, status, reason) => {
    const { fields } = await run({ apiUrl: await licensing(text, status), license });
    expect(fields).toMatchObject({ probe_ok: 0, findings: [{ ok: false, reason }] });
  });

  test('the key is read once while it works, and again after a failure', async () => {
    let answer = 200;
    const apiUrl = await served((_, response) => void response.writeHead(answer).end('{"valid": true, "token": "t"}'));
    let reads = 0;
    const readKey = async () => {
      reads += 1;
      return KEY;
    };
    const once = probing({ stage: 'test', apiUrl, otherUrls: [], license: { product: 4, readKey } }, () => undefined);
    await once();
    await once();
    expect(reads).toBe(1);
    answer = 401;
    await once();
    await once();
    expect(reads).toBe(2);
  });

  test('a secret that can’t be read is a failure, and the line says why', async () => {
    const readKey = () => Promise.reject(new Error('The secret can’t be read.'));
    const { fields } = await run({ apiUrl: await well(), license: { product: 4, readKey } });
    expect(fields).toMatchObject({ probe_ok: 0, findings: [{ reason: 'The secret can’t be read.' }] });
  });

  test.each([
    ['a license that is refused', `{"message": "${KEY}"}`, KEY],
    ['a key that holds a line break, which no header takes', '{}', `${KEY}\nmore`],
  ])('no log line contains the key: %s', async (_, text, key) => {
    const { fields } = await run({
      apiUrl: await licensing(text, 403),
      license: { product: 4, readKey: async () => key },
    });
    expect(fields['probe_ok']).toBe(0);
    expect(JSON.stringify(fields)).not.toContain(KEY);
  });
});

describe('a request of the probe', () => {
  test('a stalled response is given up after the request timeout of ten seconds', async () => {
    const url = await served((_, response) => {
      response.writeHead(200);
      response.write('{');
    });
    const began = performance.now();
    await expect(boundedRequest({ method: 'GET', url }, 300)).rejects.toThrow();
    expect(performance.now() - began).toBeGreaterThan(280);
    expect(GIVES_UP_MS).toBe(10_000);
  });

  test('a certificate for another name is a failure, and a trusted one for this name is not', async () => {
    const trusted = getCACertificates();
    const runAt = async (name: string) => {
      const certificate = selfSigned(name);
      setDefaultCACertificates([...trusted, certificate.cert]);
      const answer: RequestListener = (_, response) => void response.end('{}');
      return run({ apiUrl: `https://localhost:${await listening(overHttps(certificate, answer))}` });
    };
    try {
      const wrong = await runAt('elsewhere.example');
      expect(wrong.fields.findings).toMatchObject([{ ok: false, reason: 'ERR_TLS_CERT_ALTNAME_INVALID' }]);
      expect((await runAt('localhost')).fields['probe_ok']).toBe(1);
    } finally {
      setDefaultCACertificates(trusted);
    }
  });
});
