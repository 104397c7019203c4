import { tmpdir } from 'node:os';
import { EVERY_AREA } from 'account-service/areas';
import { bootstrap } from 'account-service/bootstrap';
import { readConfig } from 'account-service/config';
import { openEngines } from 'account-service/engines';
import { SpoolFolder } from 'account-service/host/spool';
import { openHost, routesBeside } from 'account-service/hosts';
import { expressRouter } from 'account-service/mounts/express-router';
import { openApiDocument } from 'account-service/openapi';
import { referenceRouter } from 'account-service/reference';
import { settingsOf } from 'account-service/settings';
import express from 'express';
import { type Customer, TeamLicenses } from './team-licenses.ts';

/** Mounts the account API in an app of one's own, over the team's own customers. */
export const makeApp = async (url: string, customers: readonly Customer[]) => {
  const urls = { api: url, design: url, app: url, account: url };
  // The environment is `process.env` in a service that keeps its data.
  const config = readConfig({ STORE: 'memory', OBJECTS: 'memory' });
  const engines = await openEngines(config, urls);
  const licenses = new TeamLicenses(customers);
  const service = bootstrap(settingsOf(config, urls), engines, EVERY_AREA, { licenses });
  const host = openHost('api', {
    service,
    urls,
    options: { log: () => {}, fault: console.error, health: () => engines.table.ping() },
    spool: new SpoolFolder(tmpdir()),
    beside: routesBeside('api', service, engines),
  });
  const app = express();
  app.get('/', (_req, res) => void res.send('The team’s own site.'));
  app.use(expressRouter(host));
  app.use(referenceRouter(openApiDocument(urls), [url]));
  return { app, service };
};
