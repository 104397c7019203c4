import * as apiBilling from './api/billing.ts';
import * as apiCatalog from './api/catalog.ts';
import * as apiDelivery from './api/delivery.ts';
import * as apiDevices from './api/devices.ts';
import * as apiLicensing from './api/licensing.ts';
import * as apiPolicy from './api/policy.ts';
import * as apiSupport from './api/support.ts';
import * as appBilling from './app/billing.ts';
import * as appDelivery from './app/delivery.ts';
import type { EndpointSpec } from './endpoint.ts';

/** Every endpoint by its id: the source of routes, the OpenAPI document, access checks and tests. */
export const ENDPOINTS = {
  ...apiCatalog,
  ...apiDelivery,
  ...apiLicensing,
  ...apiDevices,
  ...apiBilling,
  ...apiPolicy,
  ...apiSupport,
  ...appBilling,
  ...appDelivery,
} satisfies Record<string, EndpointSpec>;

export type Endpoints = typeof ENDPOINTS;
export type EndpointId = keyof Endpoints;

export const allEndpoints: readonly EndpointSpec[] = Object.values(ENDPOINTS);
