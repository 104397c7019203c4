import type { RequestListener } from 'node:http';
import type { ServedHost } from '../../adapters/host/addresses.ts';
import type { RequestLine } from '../../adapters/host/host.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import type { Overrides } from '../../runtimes/composition/bootstrap.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { checksOf } from '../../runtimes/doctor/readiness.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { type AppsServing, hostApps } from '../../runtimes/express/host-apps.ts';
import { drain, listenOn } from '../../runtimes/express/serve.ts';
import { openSpool } from '../../runtimes/express/start.ts';
import { FREE_PORTS } from '../support/free-ports.ts';
import { MAILING } from '../support/mail.ts';
import type { Mount, MountSettings } from './mount.ts';

const UNREACHED = 1_000_000;
const UNLIMITED = { perAccount: UNREACHED, perAgent: UNREACHED, perAddress: UNREACHED, filesPerAddress: UNREACHED };

export const IN_MEMORY = { STORE: 'memory', OBJECTS: 'memory' };

/** Passes the requests of servers to the hosts of a service. */
export type Carry = (serving: AppsServing) => Record<ServedHost, RequestListener>;

/**
 * Opens the service of `npm start` on free ports, with the engines in `env`. Requests are passed as under `npm start`,
 * or by `carry`.
 */
export const openExpressMount = async (
  env: Readonly<Record<string, string>>,
  given: MountSettings = {},
  overrides: Overrides = {},
  carry: Carry = hostApps,
): Promise<Mount> => {
  const config = readConfig({ ...FREE_PORTS, ...env });
  const listeners = await listenOn({ ...config.ports, legacy: 0 }, () => config.address);
  const { legacy: legacyUrl, ...urls } = listeners.urls;
  const engines = await openEngines(config, urls);
  const [licenseKey] = engines.licenseSigner.publicJwks();
  if (!licenseKey) throw new Error('The engines brought no license key.');
  const settings = { urls, ...UNLIMITED, ...MAILING, ...given, catalogAge: config.store.engine.catalogAge };
  const service = bootstrap(settings, engines, EVERY_AREA, overrides);
  const faults: unknown[] = [];
  const lines: Record<string, unknown>[] = [];
  const options = {
    log: ({ answered, ...line }: RequestLine) => void lines.push({ ...line, ...answered }),
    fault: (error: unknown) => void faults.push(error),
    ...checksOf(
      { table: service.get('table'), objects: service.get('objects'), storeClock: engines.storeClock },
      (error) => faults.push(error),
    ),
  };
  const spool = openSpool(config);
  const hosts = carry({ service, urls, options, trustedProxies: [], spool, signed: engines });
  listeners.handle((host) => hosts[host]);
  const close = async (): Promise<void> => {
    await drain(listeners);
    await engines.close();
  };
  return { urls, legacyUrl, service, licenseKey, faults, requestLines: () => lines, close };
};
