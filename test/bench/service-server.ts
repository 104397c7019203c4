import { createServer } from 'node:http';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/composition/config.ts';
import { catalogAge, openEngines } from '../../runtimes/composition/engines.ts';
import { hostApps } from '../../runtimes/express/hosts.ts';
import { logging, openLog } from '../../runtimes/express/log.ts';
import { openSpool } from '../../runtimes/express/spool.ts';
import { report } from './child.ts';
import { fillStore } from './store.ts';

/** The service as it is run, on the engines that the environment names, with a shop to be measured on. */
const config = readConfig(process.env);
const server = createServer();
server.listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1';
  const urls = { api: url, design: url, app: url, account: url };
  const engines = await openEngines(config, url);
  const service = bootstrap({ urls, perAccount: 1e9, perAddress: 1e9, catalogAge: catalogAge(config) }, engines);
  const filled = await fillStore(service, process.env['BENCH_FILE']);
  const apps = hostApps(
    service,
    urls,
    { trustedProxies: [], ...logging(openLog(config.logLevel)), health: () => engines.table.ping() },
    { downloads: engines.downloads, spool: openSpool(config) },
  );
  server.on('request', apps.api);
  report(server, filled);
});
