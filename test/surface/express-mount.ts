import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import type { RequestLine } from '../../adapters/host/request-line.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/composition/config.ts';
import { catalogAge, openEngines } from '../../runtimes/composition/engines.ts';
import type { Overrides } from '../../runtimes/composition/service.ts';
import { hostListeners } from '../../runtimes/express/hosts.ts';
import { drain, listenOn } from '../../runtimes/express/serve.ts';
import { openSpool } from '../../runtimes/express/spool.ts';
import type { Mount, MountSettings } from './mount.ts';

const UNREACHED = 1_000_000;
const UNLIMITED = { perAccount: UNREACHED, perAgent: UNREACHED, perAddress: UNREACHED, filesPerAddress: UNREACHED };

const FREE_PORTS = { API_PORT: '0', DESIGN_PORT: '0', APP_PORT: '0', ACCOUNT_PORT: '0' };

export const IN_MEMORY = { STORE: 'memory', OBJECTS: 'memory' };

/** Carries the requests of servers to the hosts of a service. */
export type Carry = typeof hostListeners;

/**
 * Opens the service on free ports, with the engines that `env` names. An override replaces a part of it. Requests are
 * carried as `npm start` carries them, or by `carry`.
 */
export const openExpressMount = async (
  env: Readonly<Record<string, string>>,
  given: MountSettings = {},
  overrides: Overrides = {},
  carry: Carry = hostListeners,
): Promise<Mount> => {
  const config = readConfig({ ...FREE_PORTS, ...env });
  const listeners = await listenOn({ ...config.ports, legacy: 0 });
  const { legacy: legacyUrl, ...urls } = listeners.urls;
  const engines = await openEngines(config, urls);
  const { licenseSigner } = engines;
  if (!(licenseSigner instanceof Ed25519Signer)) throw new Error('The engines brought another signer.');
  const settings = { urls, ...UNLIMITED, ...given, catalogAge: catalogAge(config) };
  const service = bootstrap(settings, engines, EVERY_AREA, overrides);
  const faults: unknown[] = [];
  const lines: Record<string, unknown>[] = [];
  const options = {
    log: ({ answered, ...line }: RequestLine) => void lines.push({ ...line, ...answered }),
    fault: (error: unknown) => void faults.push(error),
    health: async () => {
      await Promise.all([service.get('table').ping(), service.get('objects').ping()]);
    },
  };
  const hosts = carry({ service, urls, options, trustedProxies: [], spool: openSpool(config), signed: engines });
  listeners.handle((host) => hosts[host]);
  const close = async (): Promise<void> => {
    await drain(listeners);
    await engines.close();
  };
  return { urls, legacyUrl, service, licenseKey: licenseSigner.publicJwk(), faults, requestLines: () => lines, close };
};
