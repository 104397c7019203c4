import type { TellFault } from '../../adapters/store/kept.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { Config } from './config.ts';
import type { Settings } from './engine-settings.ts';

/**
 * The settings of a service, from the configuration and the public addresses of its hosts. `tellFault` hears of faults
 * beside the requests.
 */
export const settingsOf = (
  config: Config,
  urls: Readonly<Record<Host, string>>,
  tellFault: TellFault = () => {},
): Settings => ({
  tellFault,
  urls,
  legacyUrl: config.legacy.url,
  corsOrigins: config.corsOrigins,
  perAccount: config.ratePerAccount,
  perAgent: config.ratePerAgent,
  perAddress: config.ratePerAddress,
  filesPerAddress: config.filesPerAddress,
  keysPerScope: config.keysPerScope,
  audit: { days: config.auditDays, addresses: config.logAddresses },
  collect: { leaseSeconds: config.collectLeaseSeconds },
  gallery: { documents: config.galleryDocuments },
  mail: config.mail,
  webhookSecrets: config.webhookSecrets,
  catalogAge: config.store.engine.catalogAge,
  signIn: {
    password: config.passwordSignIn,
    upstream: config.upstream,
    clientDocuments: config.clientDocuments,
  },
});
