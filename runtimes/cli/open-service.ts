import { bootstrap, type Service } from '../composition/bootstrap.ts';
import { ConfigError, readConfig } from '../composition/config.ts';
import { catalogAge, openEngines } from '../composition/engines.ts';
import { configuredUrls } from './configured-urls.ts';

/**
 * Wires the service on the engines that the environment names, and closes them after the work. A server may run on the
 * same ones. Throws ConfigError, and whatever engines throw that can't be opened; the message says why.
 */
export const withService = async <T>(work: (service: Service) => Promise<T>): Promise<T> => {
  const config = readConfig(process.env);
  for (const [variable, engine] of [
    ['STORE', config.store],
    ['OBJECTS', config.objects],
  ]) {
    if (engine === 'memory') {
      throw new ConfigError(
        `${variable} is "memory", which lives and ends with a server; the command line can't reach it.`,
      );
    }
  }
  const urls = configuredUrls(config);
  const engines = await openEngines(config, urls.api);
  try {
    const { ratePerAccount: perAccount, ratePerAddress: perAddress } = config;
    return await work(bootstrap({ urls, perAccount, perAddress, catalogAge: catalogAge(config) }, engines));
  } finally {
    await engines.close();
  }
};
