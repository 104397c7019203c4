import * as clientConfig from './client-config.ts';
import * as device from './device.ts';
import * as distribution from './distribution.ts';
import * as downloads from './downloads.ts';
import type { EndpointSpec } from './endpoint.ts';
import * as install from './install.ts';
import * as library from './library.ts';
import * as license from './license.ts';
import * as orders from './orders.ts';
import * as products from './products.ts';
import * as publicLookups from './public.ts';
import * as setup from './setup.ts';
import * as subscriptions from './subscriptions.ts';
import * as support from './support.ts';

/** Every endpoint by its id: the one table that routes, the OpenAPI document, access checks and tests come from. */
export const ENDPOINTS = {
  ...library,
  ...products,
  ...install,
  ...license,
  ...setup,
  ...device,
  ...orders,
  ...subscriptions,
  ...clientConfig,
  ...downloads,
  ...publicLookups,
  ...distribution,
  ...support,
} satisfies Record<string, EndpointSpec>;

export type Endpoints = typeof ENDPOINTS;
export type EndpointId = keyof Endpoints;

export const allEndpoints: readonly EndpointSpec[] = Object.values(ENDPOINTS);
