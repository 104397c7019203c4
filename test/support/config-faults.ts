import { ConfigError, readConfig } from '../../runtimes/configuration/config.ts';

/** The faults of a configuration, one line each; none where it is taken. */
export const configFaults = (env: Readonly<Record<string, string>>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
};
