import { tmpdir } from 'node:os';
import { EVERY_AREA } from 'account-service/areas';
import { bootstrap } from 'account-service/bootstrap';
import { readConfig } from 'account-service/config';
import { openEngines } from 'account-service/engines';
import { SpoolFolder } from 'account-service/host/spool';
import { openHost, routesBeside } from 'account-service/hosts';
import { firstStart } from 'account-service/sample-store';
import { settingsOf } from 'account-service/settings';

/** The API host at an address, with the sample store, and the key of its demo account. */
export const openApi = async (url: string) => {
  const urls = { api: url, design: url, app: url, account: url };
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
