import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Harness } from '../../clients/run-cases.ts';
import { CLIENTS, installLanguages, LANGUAGES, LANGUAGES_TIMEOUT, TESTED } from './harness.ts';

let proxy: Server;
let folder: string;

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

test.each(
  TESTED,
)('a call of the client in %s ends at its deadline where a proxy answers a byte at a time', async (language) => {
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const proxies = Object.fromEntries(
    ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].map((name) => [name, address]),
  );
  const env = { ...proxies, NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' };
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
    // Node goes on as long as the proxy does.
    harness.kill();
    await harness.close();
  }
});
