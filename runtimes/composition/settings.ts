import type { Host } from '../../ports/inbound/hosts.ts';
import type { Config } from './config.ts';
import type { Settings } from './engine-settings.ts';
import { catalogAge } from './engines.ts';
import { signInSettings } from './sign-in-settings.ts';

/** The settings of a service, from the configuration and the public addresses of its hosts. */
export const settingsOf = (config: Config, urls: Readonly<Record<Host, string>>): Settings => ({
  urls,
  legacyUrl: config.legacy.url,
  corsOrigins: config.corsOrigins,
  perAccount: config.ratePerAccount,
  perAgent: config.ratePerAgent,
  perAddress: config.ratePerAddress,
  filesPerAddress: config.filesPerAddress,
  audit: { days: config.auditDays, addresses: config.logAddresses },
  collect: { leaseSeconds: config.collectLeaseSeconds },
  gallery: { documents: config.galleryDocuments },
  catalogAge: catalogAge(config),
  signIn: signInSettings(config, urls),
});
