import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import type { Overrides } from '../../runtimes/composition/binder.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/composition/config.ts';
import { catalogAge, openEngines } from '../../runtimes/composition/engines.ts';
import { hostApps } from '../../runtimes/express/hosts.ts';
import { drain, handle, listenOn } from '../../runtimes/express/serve.ts';
import { openSpool } from '../../runtimes/express/spool.ts';
import type { Mount, MountSettings } from './mount.ts';

const UNREACHED = 1_000_000;

const FREE_PORTS = { API_PORT: '0', DESIGN_PORT: '0', APP_PORT: '0', ACCOUNT_PORT: '0' };

export const IN_MEMORY = { STORE: 'memory', OBJECTS: 'memory' };

/** The Express runtime on free ports, with the engines that `env` names and any part replaced by an override. */
export const openExpressMount = async (
  env: Readonly<Record<string, string>>,
  { perAccount = UNREACHED, perAddress = UNREACHED }: MountSettings = {},
  overrides: Overrides = {},
): Promise<Mount> => {
  const config = readConfig({ ...FREE_PORTS, ...env });
  const listeners = await listenOn({ ...config.ports, legacy: 0 });
  const { legacy: legacyUrl, ...urls } = listeners.urls;
  const engines = await openEngines(config, urls.api);
  const { licenseSigner } = engines;
  if (!(licenseSigner instanceof Ed25519Signer)) throw new Error('The engines brought another signer.');
  const service = bootstrap({ urls, perAccount, perAddress, catalogAge: catalogAge(config) }, engines, overrides);
  const faults: unknown[] = [];
  const options = {
    trustedProxies: [],
    log: () => {},
    fault: (error: unknown) => void faults.push(error),
    health: async () => {
      await Promise.all([service.get('table').ping(), service.get('objects').ping()]);
    },
  };
  const apps = hostApps(service, urls, options, { downloads: engines.downloads, spool: openSpool(config) });
  handle(listeners, (host) => apps[host]);
  const close = async (): Promise<void> => {
    await drain(listeners);
    await engines.close();
  };
  return { urls, legacyUrl, service, licenseKey: licenseSigner.publicJwk(), faults, close };
};
