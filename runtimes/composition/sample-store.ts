import type { Host } from '../../ports/inbound/hosts.ts';
import { isLoopback, isNameOfThisMachine } from './this-machine.ts';

/**
 * Whether an empty store gets the sample store, whose demo account has a known password. `auto` gives it to a server
 * that nobody but this machine can reach.
 */
export type SampleStore = 'auto' | 'always' | 'never';

export const SAMPLE_STORES = ['auto', 'always', 'never'] as const satisfies readonly SampleStore[];

/** The members of the configuration that say who reaches the server. */
type Reach = {
  readonly address: string;
  readonly urls: Readonly<Partial<Record<Host, string>>>;
  readonly legacy: { readonly url?: string | undefined };
  readonly trustedProxies: readonly string[];
};

/**
 * True where other machines reach the server: it listens for them, or a public address or a trusted proxy shows that a
 * proxy on this machine passes their requests on.
 */
export const isPublic = ({ address, urls, legacy, trustedProxies }: Reach): boolean => {
  const named = [...Object.values(urls), legacy.url].filter((url) => url !== undefined);
  const isNamedElsewhere = named.some((url) => !isNameOfThisMachine(new URL(url).hostname));
  return !isLoopback(address) || isNamedElsewhere || trustedProxies.length > 0;
};

/** True where an empty store gets the sample store. */
export const givesSamples = ({ sampleStore, ...reach }: Reach & { readonly sampleStore: SampleStore }): boolean =>
  sampleStore === 'always' || (sampleStore === 'auto' && !isPublic(reach));
