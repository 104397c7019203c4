import type { RequestListener } from 'node:http';
import { late } from '../../adapters/host/late.ts';
import type { RequestLine } from '../../adapters/host/request-line.ts';
import { CALL_AREAS, type CallParts } from '../../runtimes/composition/areas/calls.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/composition/config.ts';
import type { ServedHost } from '../../runtimes/composition/hosts.ts';
import { openEngines } from '../../runtimes/composition/open-engines.ts';
import type { Overrides, Service } from '../../runtimes/composition/service.ts';
import { wholeService } from '../../runtimes/composition/whole-service.ts';
import { type LateServing, lateHostListeners } from '../../runtimes/express/late-hosts.ts';
import { drain, listenOn } from '../../runtimes/express/serve.ts';
import { openSpool } from '../../runtimes/express/start-hosts.ts';
import { FREE_PORTS } from '../support/free-ports.ts';
import type { Mount, MountSettings } from './mount.ts';

const UNREACHED = 1_000_000;
const UNLIMITED = { perAccount: UNREACHED, perAgent: UNREACHED, perAddress: UNREACHED, filesPerAddress: UNREACHED };

export const IN_MEMORY = { STORE: 'memory', OBJECTS: 'memory' };

/** Carries the requests of servers to the hosts of a service, which is the whole one. */
export type Carry = (serving: LateServing & { readonly service: Service }) => Record<ServedHost, RequestListener>;

/** Parts that replace those of the service that answers calls. The whole service shares them. */
export type CallOverrides = Pick<Overrides, Exclude<keyof CallParts, 'handle' | 'invoker'> & keyof Overrides>;

/**
 * Opens the services of `npm start` on free ports, with the engines that `env` names. An override replaces a part of
 * both. Requests are carried as `npm start` carries them, or by `carry`.
 */
export const openExpressMount = async (
  env: Readonly<Record<string, string>>,
  given: MountSettings = {},
  overrides: CallOverrides = {},
  carry: Carry = lateHostListeners,
): Promise<Mount> => {
  const config = readConfig({ ...FREE_PORTS, ...env });
  const listeners = await listenOn({ ...config.ports, legacy: 0 }, config.address);
  const { legacy: legacyUrl, ...urls } = listeners.urls;
  const engines = await openEngines(config, urls);
  const [licenseKey] = engines.licenseSigner.publicJwks();
  if (!licenseKey) throw new Error('The engines brought no license key.');
  const settings = { urls, ...UNLIMITED, ...given, catalogAge: config.store.engine.catalogAge };
  const calls = bootstrap(settings, engines, CALL_AREAS, overrides);
  const whole = late(async () => wholeService(settings, engines, calls));
  const service = await whole();
  const faults: unknown[] = [];
  const lines: Record<string, unknown>[] = [];
  const options = {
    log: ({ answered, ...line }: RequestLine) => void lines.push({ ...line, ...answered }),
    fault: (error: unknown) => void faults.push(error),
    health: async () => {
      await Promise.all([service.get('table').ping(), service.get('objects').ping()]);
    },
  };
  const spool = openSpool(config);
  const hosts = carry({ calls, whole, service, urls, options, trustedProxies: [], spool, signed: engines });
  listeners.handle((host) => hosts[host]);
  const close = async (): Promise<void> => {
    await drain(listeners);
    await engines.close();
  };
  return { urls, legacyUrl, service, licenseKey, faults, requestLines: () => lines, close };
};
