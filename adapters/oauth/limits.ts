import type { ServerResponse } from 'node:http';
import type { LimitRate, OwnLimit } from '../../application/access/limit-rate.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import type { RouteName } from './paths.ts';

/**
 * Requests of one address in a clock minute. A hosted client refreshes the tokens of all its users from one address.
 */
const PER_MINUTE: Readonly<Record<Exclude<RouteName, 'metadata'> | 'document', number>> = {
  authorization: 60,
  resume: 60,
  token: 1200,
  registration: 20,
  client: 60,
  revocation: 300,
  device_authorization: 60,
  document: 20,
};

export type Limiter = LimitRate;

const ownLimit = (name: keyof typeof PER_MINUTE): OwnLimit => ({
  endpoint: `oauth.${name}`,
  perMinute: PER_MINUTE[name],
});

/** Counts a request of the address. `document` counts the metadata documents that it makes this server fetch. */
export const countRequest = async (
  limitRate: Limiter,
  name: keyof typeof PER_MINUTE,
  address: string,
): Promise<RateVerdict> => {
  const owner = { kind: 'address', address } as const;
  return limitRate.spent(owner, ownLimit(name)) ?? limitRate.count(owner, ownLimit(name));
};

/** Puts the headers of a verdict on a response that is sent later. */
export const showRate = (res: ServerResponse, rate: RateVerdict): void => {
  res.setHeader('x-ratelimit-limit', rate.limit);
  res.setHeader('x-ratelimit-remaining', rate.remaining);
  if (rate.allowed) return;
  res.setHeader('retry-after', rate.retry_after);
  res.setHeader('x-ratelimit-reset', rate.resets_at);
};
