import type { Service } from '../composition/service.ts';
import { type RunningHosts, type StartOptions, startHosts } from './start-hosts.ts';

export type { OwnLogger } from './log.ts';
export type { RunningHosts, StartOptions } from './start-hosts.ts';

export type Running = Omit<RunningHosts, 'whole'> & { readonly service: Service };

/**
 * Starts the four hosts on the engines that the environment names, those of the options among them. An empty store gets
 * the sample store first, where the configuration says so. `untilStopped(start(process.env))` is the whole program of a
 * server. Throws ConfigError, PortTaken, or the error of an engine that can't be opened.
 */
export const start = async (
  env: Readonly<Record<string, string | undefined>>,
  options: StartOptions = {},
): Promise<Running> => {
  const { whole, ...hosts } = await startHosts(env, options);
  try {
    return { ...hosts, service: await whole() };
  } catch (error) {
    await hosts.stop();
    throw error;
  }
};
