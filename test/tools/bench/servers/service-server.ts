import { createServer } from 'node:http';
import { byHost } from '../../../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../../../runtimes/configuration/config.ts';
import { openEngines } from '../../../../runtimes/engines/open-engines.ts';
import { hostApps } from '../../../../runtimes/express/host-apps.ts';
import { logging, openLog } from '../../../../runtimes/express/log.ts';
import { openSpool } from '../../../../runtimes/express/start.ts';
import { report } from '../child.ts';
import { fillStore, limitDevices } from '../store.ts';

/**
 * The service in its normal setup, on the engines in the environment, with the benchmark's products. An account may
 * make `BENCH_PER_ACCOUNT` requests a minute, by default any number. `BENCH_FILLED` means that another process has
 * filled the store.
 */
const config = readConfig(process.env);
const perAccount = Number(process.env['BENCH_PER_ACCOUNT'] ?? 1e9);
const server = createServer();
server.listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1';
  const urls = byHost(() => url);
  const measuring =
    config.metrics &&
    (await (await import('../../../../runtimes/express/metrics.ts')).startMeasuring(config, config.metrics));
  const engines = await openEngines(config, urls, measuring?.measures);
  const limits = { perAccount, perAgent: 1e9, perAddress: 1e9, filesPerAddress: 1e9 };
  const { mail, webhookSecrets } = config;
  const settings = { urls, ...limits, mail, webhookSecrets, catalogAge: config.store.engine.catalogAge };
  const service = bootstrap(settings, engines, EVERY_AREA);
  const filled = process.env['BENCH_FILLED'] ? { key: '' } : await fillStore(service, process.env['BENCH_FILE']);
  const lines = logging(openLog(config.logLevel), config);
  const { api } = hostApps({
    service,
    urls,
    options: { ...lines, health: () => engines.table.ping() },
    logOf: measuring && ((host) => measuring.counting(host, lines.log)),
    trustedProxies: [],
    spool: openSpool(config),
    signed: engines,
  });
  server.on('request', api);
  report(server, filled, {
    limitDevices: async (limit: number) => limitDevices(service, limit),
  });
});
