import { checkWayIn, readConfig } from '../composition/config.ts';
import { publicUrls } from './public-urls.ts';
import { openTelemetry } from './telemetry.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The basis of every function: its configuration, the public addresses, and its log. */
export const openRuntime = (name: string, env: Environment) => {
  const config = readConfig(env);
  checkWayIn(config);
  const options = openTelemetry(name, env['STAGE'] ?? 'dev', config);
  return { config, urls: publicUrls(config), options };
};
