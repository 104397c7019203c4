import { tmpdir } from 'node:os';
import {
  bootstrap,
  EVERY_AREA,
  openEngines,
  openHost,
  readConfig,
  routesBeside,
  SpoolFolder,
  settingsOf,
} from 'account-service';
import { expressRouter } from 'account-service/mounts';
import type { Licenses } from 'account-service/ports';
import express from 'express';
import { payments } from './payments.ts';
import { type Customer, teamLicenses } from './team-licenses.ts';

/** The team's app: its own pages, the account API under the same address, and the webhook of its payment provider. */
export const makeApp = async (url: string, customers: readonly Customer[], secret: string) => {
  const urls = { api: url, design: url, app: url, account: url, shop: url };
  // A service that keeps its data takes `process.env`.
  const config = readConfig({ STORE: 'memory', OBJECTS: 'memory' });
  const engines = await openEngines(config, urls);
  const licenses: Licenses = teamLicenses(customers, (id) => service.get('storedLicenses').held(id));
  const service = bootstrap(settingsOf(config, urls), engines, EVERY_AREA, { licenses });
  const host = openHost('api', {
    service,
    urls,
    options: { log: () => {}, fault: console.error, health: () => engines.table.ping() },
    spool: new SpoolFolder(tmpdir()),
    beside: routesBeside('api', service, engines),
  });
  const app = express();
  app.use(expressRouter(host));
  app.get('/', (_req, res) => void res.send('The team’s own site.'));
  app.get('/support/customers/:id/devices', async (req, res) => {
    const asked = { account_id: Number(req.params.id), product: null, limit: 20, after: null };
    const devices = await service.get('listAccountDevices')(asked);
    res.status(devices.ok ? 200 : 404).json(devices.ok ? devices.value : { message: devices.message });
  });
  app.post('/webhooks/payments', payments(service, secret));
  return { app, service };
};
