import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { DownloadSignature, MemoryObjects, MemoryTable } from 'account-service/engines';
import { downloadsRoute, expressRouter, SpoolFolder } from 'account-service/http';
import { bootstrap, EVERY_AREA, grantPermit, openHost, routesBeside } from 'account-service/runtimes';
import express from 'express';
import { studio } from './catalog.ts';
import { type Customer, TeamLicenses } from './team-licenses.ts';

/** Mounts the account API in an app of one's own, over the team's own customer data. */
export const makeApp = async (baseUrl: string, customers: readonly Customer[]) => {
  const signature = new DownloadSignature({ secret: randomBytes(32), baseUrl });
  const urls = { api: baseUrl, design: baseUrl, app: baseUrl, account: baseUrl };
  const service = bootstrap(
    { urls, perAccount: 120, perAgent: 600, perAddress: 60, catalogAge: 'unbounded' },
    {
      table: new MemoryTable(),
      objects: new MemoryObjects(signature),
    },
    EVERY_AREA,
    { licenses: new TeamLicenses(customers) },
  );
  await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: studio });

  const host = openHost('api', {
    service,
    urls,
    options: {
      log: () => {},
      fault: (error) => console.error(error),
      health: () => service.get('table').ping(),
    },
    spool: new SpoolFolder(tmpdir()),
    beside: routesBeside('api', service, { downloads: downloadsRoute(service.get('objects'), signature) }),
  });

  const app = express();
  app.get('/', (_req, res) => {
    res.send('The team’s own site.');
  });
  app.use(expressRouter(host));
  return { app, service };
};
