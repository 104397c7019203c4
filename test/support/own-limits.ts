import { allEndpoints } from '../../ports/inbound/endpoints.ts';

/** The requests per minute that an endpoint's own limit allows. */
export const perMinuteOf = (id: string): number => {
  const limit = allEndpoints.find((endpoint) => endpoint.id === id)?.perMinute;
  if (limit === undefined) throw new Error(`${id} has no limit of its own.`);
  return limit;
};
