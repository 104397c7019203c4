import * as apiBilling from './api/billing.ts';
import * as apiCatalog from './api/catalog.ts';
import * as apiDelivery from './api/delivery.ts';
import * as apiDevices from './api/devices.ts';
import * as apiLicensing from './api/licensing.ts';
import * as apiMcp from './api/mcp.ts';
import * as apiPolicy from './api/policy.ts';
import * as apiSupport from './api/support.ts';
import * as apiTeams from './api/teams.ts';
import * as appBilling from './app/billing.ts';
import * as appDelivery from './app/delivery.ts';
import * as designCollect from './design/collect.ts';
import * as designDocuments from './design/documents.ts';
import * as designGallery from './design/gallery.ts';
import * as designMcp from './design/mcp.ts';
import type { AnswerIn, AnswersJson, EndpointSpec } from './endpoint.ts';
import * as shopAccounts from './shop/accounts.ts';
import * as shopKeys from './shop/keys.ts';
import * as shopLook from './shop/look.ts';
import * as shopMcp from './shop/mcp.ts';
import * as shopNotices from './shop/notices.ts';
import * as shopOrders from './shop/orders.ts';
import * as shopPeople from './shop/people.ts';
import * as shopProducts from './shop/products.ts';
import * as shopSales from './shop/sales.ts';
import * as shopSearch from './shop/search.ts';
import * as shopSupport from './shop/support.ts';
import * as shopWebhooks from './shop/webhooks.ts';

/** The type of all endpoints, named by module so that the package's types stay small. */
export type Endpoints = typeof apiCatalog &
  typeof apiDelivery &
  typeof apiLicensing &
  typeof apiTeams &
  typeof apiDevices &
  typeof apiBilling &
  typeof apiPolicy &
  typeof apiSupport &
  typeof apiMcp &
  typeof appBilling &
  typeof appDelivery &
  typeof designMcp &
  typeof designDocuments &
  typeof designCollect &
  typeof designGallery &
  typeof shopOrders &
  typeof shopSales &
  typeof shopAccounts &
  typeof shopKeys &
  typeof shopProducts &
  typeof shopLook &
  typeof shopSupport &
  typeof shopSearch &
  typeof shopWebhooks &
  typeof shopPeople &
  typeof shopNotices &
  typeof shopMcp;

/** Every endpoint by its id: the source of routes, the OpenAPI document, access checks and tests. */
export const ENDPOINTS: Endpoints = {
  ...apiCatalog,
  ...apiDelivery,
  ...apiLicensing,
  ...apiTeams,
  ...apiDevices,
  ...apiBilling,
  ...apiPolicy,
  ...apiSupport,
  ...apiMcp,
  ...appBilling,
  ...appDelivery,
  ...designMcp,
  ...designDocuments,
  ...designCollect,
  ...designGallery,
  ...shopOrders,
  ...shopSales,
  ...shopAccounts,
  ...shopKeys,
  ...shopProducts,
  ...shopLook,
  ...shopSupport,
  ...shopSearch,
  ...shopWebhooks,
  ...shopPeople,
  ...shopNotices,
  ...shopMcp,
} satisfies Record<string, EndpointSpec & AnswersJson>;

export type EndpointId = keyof Endpoints;

/** The JSON that an endpoint answers with. */
export type AnswerOf<Id extends EndpointId> = AnswerIn<Endpoints[Id]>;

/** The endpoints that have their own routes. */
export type ProtocolId = { [Id in EndpointId]: Endpoints[Id] extends { protocol: string } ? Id : never }[EndpointId];

export const allEndpoints: readonly EndpointSpec[] = Object.values(ENDPOINTS);
