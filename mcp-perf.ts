import { tmpdir } from 'node:os';
import { SpoolFolder } from './adapters/host/spool.ts';
import { EVERY_AREA } from './runtimes/composition/areas/everything.ts';
import { bootstrap } from './runtimes/composition/bootstrap.ts';
import { readConfig } from './runtimes/composition/config.ts';
import { openEngines } from './runtimes/composition/engines.ts';
import { openHost, routesBeside } from './runtimes/composition/hosts.ts';
import { fillStore } from './test/bench/store.ts';

const url = 'https://api.example.com';
const urls = { api: url, design: url, app: url, account: url };
const engines = await openEngines(readConfig({ STORE: 'memory', OBJECTS: 'memory' }), url);
const service = bootstrap({ urls, perAccount: 1e9, perAddress: 1e9, catalogAge: 'unbounded' }, engines, EVERY_AREA);
const { key } = await fillStore(service);
const host = openHost('api', {
  service,
  urls,
  options: { log: () => undefined, fault: (e) => console.error(e), health: () => engines.table.ping() },
  spool: new SpoolFolder(tmpdir()),
  beside: routesBeside('api', service, undefined),
});
const req = (method: string, path: string, json: unknown, more = {}) => {
  const b = Buffer.from(JSON.stringify(json));
  return host.handle({
    method,
    path,
    query: '',
    headers: { authorization: `Bearer ${key}`, host: 'api.example.com', 'content-type': 'application/json', ...more },
    address: () => '1.1.1.1',
    length: b.length,
    body: () => b,
  });
};
const args = (n: number) => ({ product_id: (n % 50) + 1, device_id: `device-${n % 10}`, app_version: '1.2.0' });
const rest = (n: number) => req('POST', '/api/license/check', args(n));
const m25 = (n: number) =>
  req('POST', '/api/mcp', {
    jsonrpc: '2.0',
    id: n,
    method: 'tools/call',
    params: { name: 'check_license', arguments: args(n) },
  });
const m26 = (n: number) =>
  req(
    'POST',
    '/api/mcp',
    {
      jsonrpc: '2.0',
      id: n,
      method: 'tools/call',
      params: {
        name: 'check_license',
        arguments: args(n),
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'check_license' },
  );
const list = (n: number) => req('POST', '/api/mcp', { jsonrpc: '2.0', id: n, method: 'tools/list' });
const run = async (f: (n: number) => Promise<any>, c: number) => {
  const b = process.cpuUsage();
  for (let n = 0; n < c; n += 32) {
    const rs = await Promise.all(Array.from({ length: 32 }, (_, i) => f(n + i)));
    for (const r of rs) if (r.status !== 200) throw new Error(JSON.stringify(r));
  }
  const u = process.cpuUsage(b);
  return (u.user + u.system) / c;
};
for (const f of [rest, m25, m26, list]) await run(f, 4000);
if (process.argv[2] === 'p') {
  await run(m26, 30000);
  process.exit(0);
}
for (let k = 0; k < 3; k++)
  console.log(
    (await Promise.all([0])).length,
    ...(await (async () => {
      const out = [];
      for (const f of [rest, m25, m26, list]) out.push((await run(f, 6000)).toFixed(0));
      return out;
    })()),
  );
console.log((await m26(1)).body);
process.exit(0);
