import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createHost, type Limit } from '../../adapters/host/host.ts';
import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import type { Table } from '../../adapters/store/table.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { DOCUMENTED } from '../../adapters/web/reference.ts';
import { limitAddress, limitRate } from '../../application/access/limit-rate.ts';
import type { RateLimitSettings } from '../../domain/access/rate-limit.ts';
import { referenceOf } from '../composition/routes-beside.ts';
import { settingsOf } from '../composition/settings.ts';
import { openTable } from '../engines/open-engines.ts';
import { openRuntime } from './open-runtime.ts';

/** A rate limiter of addresses, for a function without any other part of the service. */
export const limitOn = (table: Table, settings: RateLimitSettings): Limit => {
  const rateLimits = new StoredRateLimits(table);
  return limitAddress({ limitRate: limitRate({ rateLimits, clock: systemClock, settings }), settings });
};

const { config, urls, options } = openRuntime('reference', process.env);

/** The table has the counters of addresses. The function needs nothing else from it. */
const { table } = await openTable(config);
const limit = limitOn(table, settingsOf(config, urls));
const health = (): Promise<void> => table.ping();

const [api, ...others] = DOCUMENTED.filter((host) => host !== 'shop' || config.urls.shop !== undefined).map((host) => ({
  name: new URL(urls[host]).host,
  answer: buffered(createHost(referenceOf(host, urls), { ...options, health, limit })),
})) as [App, ...App[]];

type App = { readonly name: string; readonly answer: ReturnType<typeof buffered> };

/**
 * The OpenAPI document of each host, and the page that shows them all. It is its own function, so that no API call
 * waits for them to load.
 */
export const handler = (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const { domainName } = event.requestContext;
  return (others.find(({ name }) => name === domainName) ?? api).answer(event);
};
