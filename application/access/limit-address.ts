import { ANYONE, type Owner, ownerOf } from '../../domain/access/principal.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import type { LimitRate, OwnLimit, RateLimitSettings } from './limit-rate.ts';

/**
 * The counters of a network address: `calls` counts the calls without a valid key and the paths that no endpoint has;
 * `files` counts downloads, uploads, images and the parts of pages, of which one page loads dozens.
 */
export type AddressCounter = 'calls' | 'files';

/** Files that an address may ask for in a clock minute, where the settings name no number. */
export const FILES_PER_MINUTE = 600;

export type Ports = { readonly limitRate: LimitRate; readonly settings: RateLimitSettings };

/**
 * Counts a request against the network address that it comes from, and gives the verdict. An address known to be over
 * its limit costs no look-up and is not counted again.
 */
export const limitAddress = ({ limitRate, settings }: Ports) => {
  const files: OwnLimit = { endpoint: 'files', perMinute: settings.filesPerAddress ?? FILES_PER_MINUTE };
  return async (counter: AddressCounter, address: () => string): Promise<RateVerdict> => {
    const owner: Owner = ownerOf(ANYONE, address);
    const own = counter === 'files' ? files : undefined;
    return limitRate.spent(owner, own) ?? limitRate.count(owner, own);
  };
};

export type LimitAddress = ReturnType<typeof limitAddress>;
