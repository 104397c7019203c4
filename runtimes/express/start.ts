import type { Service } from '../composition/service.ts';
import { type RunningHosts, startHosts } from './start-hosts.ts';

export type Running = Omit<RunningHosts, 'whole'> & { readonly service: Service };

/**
 * Starts the four hosts on the engines that the environment names. An empty store gets the sample store first, where
 * the configuration says so. Throws ConfigError, PortTaken, or the error of an engine that can't be opened.
 */
export const start = async (env: Readonly<Record<string, string | undefined>>): Promise<Running> => {
  const { whole, ...hosts } = await startHosts(env);
  try {
    return { ...hosts, service: await whole() };
  } catch (error) {
    await hosts.stop();
    throw error;
  }
};
