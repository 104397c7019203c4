import type { LimitRate, OwnLimit } from '../../application/access/limit-rate.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import type { RouteName } from './paths.ts';

/** Requests of one address in a clock minute. A hosted client refreshes the tokens of all its users from one address. */
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

export type Limiter = Pick<LimitRate, 'execute'>;

const ownLimit = (name: keyof typeof PER_MINUTE): OwnLimit => ({
  endpoint: `oauth.${name}`,
  perMinute: PER_MINUTE[name],
});

/** Counts a request of the address. `document` counts the metadata documents that it makes this server fetch. */
export const countRequest = (
  limitRate: Limiter,
  name: keyof typeof PER_MINUTE,
  address: string,
): Promise<RateVerdict> => limitRate.execute({ kind: 'address', address }, ownLimit(name));
