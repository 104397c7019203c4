import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTunnel } from 'node:http';
import { createServer as createShop } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Harness } from '../../clients/run-cases.ts';
import { CLIENTS, installLanguages, LANGUAGES, LANGUAGES_TIMEOUT, TESTED } from './harness.ts';

let proxy: Server;
let folder: string;

const proxyEnv = (server: Server) => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];
  const proxies = Object.fromEntries(names.map((name) => [name, address]));
  return { ...proxies, NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' };
};

beforeAll(async () => {
  await installLanguages();
  folder = mkdtempSync(join(tmpdir(), 'account-service-proxy-'));
  proxy = createServer((socket) => {
    const bytes = `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(500)}`[Symbol.iterator]();
    const timer = setInterval(() => socket.write(bytes.next().value ?? 'x'), 100);
    socket.on('error', () => {}).on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
}, LANGUAGES_TIMEOUT);
afterAll(() => {
  proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

test.concurrent.each(
  TESTED,
)('a call of the client in %s ends at its deadline if a proxy answers one byte at a time', async (language) => {
  const env = proxyEnv(proxy);
  const harness = new Harness(LANGUAGES[language] ?? [''], { cwd: join(CLIENTS, language), env });
  try {
    for (const scheme of ['http', 'https']) {
      const options = { api: `${scheme}://shop.example.com`, product_id: 4, key: 'svc_case', timeout: 1 };
      await harness.ask({ do: 'open', store: join(folder, language + scheme), options });
      const began = performance.now();
      expect(await harness.ask({ do: 'check' })).toMatchObject({ ok: { error: { code: 'unreachable' } } });
      expect(performance.now() - began).toBeLessThan(5000);
    }
  } finally {
    const began = performance.now();
    const late = setTimeout(() => harness.kill(), 5000);
    await harness.close();
    clearTimeout(late);
    expect(performance.now() - began, 'the process outlives its calls').toBeLessThan(3000);
  }
});

test.each(
  TESTED,
)('the client in %s reaches a server of a private certificate authority through a proxy', async (language) => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=shop.example.com';
  const about = ['-addext', 'subjectAltName=DNS:shop.example.com', '-addext', 'basicConstraints=critical,CA:FALSE'];
  execFileSync('openssl', ['req', ...kind.split(' '), ...about, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  const shop = createShop({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
    response.writeHead(404).end('{"error": "not_here", "message": "Not here."}');
  });
  const tunnel = createTunnel().on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    shop.emit('connection', socket);
  });
  for (const server of [shop, tunnel]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { ...proxyEnv(tunnel), SSL_CERT_FILE: cert, NODE_EXTRA_CA_CERTS: cert };
  const harness = new Harness(LANGUAGES[language] ?? [''], { cwd: join(CLIENTS, language), env });
  try {
    const options = { api: 'https://shop.example.com', product_id: 4, key: 'svc_case', timeout: 5 };
    await harness.ask({ do: 'open', store: join(folder, `${language}-private`), options });
    expect(await harness.ask({ do: 'check' })).toMatchObject({ ok: { error: { status: 404, code: 'not_here' } } });
  } finally {
    await harness.close();
    shop.close();
    tunnel.close();
  }
});
