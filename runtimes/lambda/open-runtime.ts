import { readConfig } from '../composition/config.ts';
import { publicUrls } from './public-urls.ts';
import { openTelemetry } from './telemetry.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a function of any kind begins with: its configuration, the public addresses, and where it logs. */
export const openRuntime = (name: string, env: Environment) => {
  const config = readConfig(env);
  // The event names the client's address, so no proxy has to be trusted for it.
  const options = { trustedProxies: [], ...openTelemetry(name, env['STAGE'] ?? 'dev', config.logLevel) };
  return { config, urls: publicUrls(config), options };
};
