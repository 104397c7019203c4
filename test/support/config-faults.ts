import { ConfigError, readConfig } from '../../runtimes/configuration/config.ts';

/** The faults of a configuration, one line each; none if it is valid. */
export const configFaults = (env: Readonly<Record<string, string>>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
};
