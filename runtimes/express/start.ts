import type { Area } from '../composition/area.ts';
import type { OwnAreas, ServiceWith } from '../composition/own-areas.ts';
import { type RunningHosts, type StartOptions, startHosts } from './start-hosts.ts';

export type { OwnLogger } from './log.ts';
export type { RunningHosts, StartOptions } from './start-hosts.ts';

export type Running<A extends readonly Area[] = []> = Omit<RunningHosts, 'whole'> & {
  readonly service: ServiceWith<A>;
};

/**
 * Starts the four hosts on the engines that the environment names, those of the options among them. An empty store gets
 * the sample store first, where the configuration says so. `untilStopped(start(process.env))` is the whole program of a
 * server. Throws ConfigError, PortTaken, the error of an engine that can't be opened, or one that names an endpoint of
 * the areas which would get no request.
 */
export const start = async <const A extends readonly Area[] = []>(
  env: Readonly<Record<string, string | undefined>>,
  options: StartOptions & { readonly areas?: OwnAreas<A> } = {},
): Promise<Running<A>> => {
  const { whole, ...hosts } = await startHosts(env, options);
  try {
    return { ...hosts, service: (await whole()) as ServiceWith<A> };
  } catch (error) {
    await hosts.stop();
    throw error;
  }
};
