import { tmpdir } from 'node:os';
import {
  bootstrap,
  EVERY_AREA,
  firstStart,
  openEngines,
  openHost,
  readConfig,
  routesBeside,
  SpoolFolder,
  settingsOf,
} from 'account-service';

/** The API host at an address, with the sample store, and the key of its demo account. */
export const openApi = async (url: string) => {
  const urls = { api: url, design: url, app: url, account: url, shop: url };
  // The environment is `process.env` in a service that keeps its data.
  const config = readConfig({ STORE: 'memory', OBJECTS: 'memory' });
  const engines = await openEngines(config, urls);
  const service = bootstrap(settingsOf(config, urls), engines, EVERY_AREA);
  const sample = await firstStart(service);
  const host = openHost('api', {
    service,
    urls,
    options: { log: () => {}, fault: console.error, health: () => engines.table.ping() },
    spool: new SpoolFolder(tmpdir()),
    beside: routesBeside('api', service, engines),
  });
  return { host, key: sample?.key };
};
