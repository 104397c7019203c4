import type * as z from 'zod';
import { apiBillingTexts } from './api/billing.texts.ts';
import { apiCatalogTexts } from './api/catalog.texts.ts';
import { apiDeliveryTexts } from './api/delivery.texts.ts';
import { apiDevicesTexts } from './api/devices.texts.ts';
import { apiLicensingTexts } from './api/licensing.texts.ts';
import { apiMcpTexts } from './api/mcp.texts.ts';
import { apiPolicyTexts } from './api/policy.texts.ts';
import { apiSupportTexts } from './api/support.texts.ts';
import { apiTeamsTexts } from './api/teams.texts.ts';
import { appBillingTexts } from './app/billing.texts.ts';
import { appDeliveryTexts } from './app/delivery.texts.ts';
import { designCollectTexts } from './design/collect.texts.ts';
import { designDocumentsTexts } from './design/documents.texts.ts';
import { designGalleryTexts } from './design/gallery.texts.ts';
import { designMcpTexts } from './design/mcp.texts.ts';
import type { EndpointDocumentation, ToolDocumentation } from './documented.ts';
import { type EndpointSpec, type PathParam, pathParams } from './endpoint.ts';
import { ENDPOINTS, type EndpointId, type Endpoints } from './endpoints.ts';
import type { Group } from './groups.ts';
import { shopAccountsTexts } from './shop/accounts.texts.ts';
import { shopKeysTexts } from './shop/keys.texts.ts';
import { shopLookTexts } from './shop/look.texts.ts';
import { shopMcpTexts } from './shop/mcp.texts.ts';
import { shopNoticesTexts } from './shop/notices.texts.ts';
import { shopOrdersTexts } from './shop/orders.texts.ts';
import { shopPeopleTexts } from './shop/people.texts.ts';
import { shopProductsTexts } from './shop/products.texts.ts';
import { shopSalesTexts } from './shop/sales.texts.ts';
import { shopSearchTexts } from './shop/search.texts.ts';
import { shopSupportTexts } from './shop/support.texts.ts';
import { shopWebhooksTexts } from './shop/webhooks.texts.ts';

/** The path parameters that the reference fills in. The sample store (examples/store) has these values. */
const USUAL_PARAMS = {
  account: 1,
  batch: 1,
  key: 1,
  named: 'hashcheck',
  order: '1',
  product: 4,
  report: '1',
  run: 373_283_905_540_002,
  slug: 'buttons',
  ticket: 1,
  token: 1,
  webhook: 1,
  delivery: 1,
} as const;

type UsualParam = keyof typeof USUAL_PARAMS;

/** The documentation that an endpoint needs: without a part of it, the endpoint does not compile. */
export type DocumentationOf<E extends EndpointSpec, G extends string = Group> = EndpointDocumentation<G> &
  ([Exclude<PathParam<E['path']>, UsualParam>] extends [never]
    ? { readonly pathExamples?: { readonly [N in PathParam<E['path']>]?: string | number } }
    : { readonly pathExamples: { readonly [N in Exclude<PathParam<E['path']>, UsualParam>]: string | number } }) &
  (E extends { tool: object } ? { readonly tool: ToolDocumentation } : { readonly tool?: never }) &
  (E extends { body: () => z.ZodObject } ? { readonly bodyExample: object } : { readonly bodyExample?: never }) &
  (E['output'] extends { countedBy: string } ? { readonly counted: string } : { readonly counted?: never });

/** The documentation of every endpoint by its id, in the order in which agents see their tools. */
export const DOCUMENTATION = {
  ...apiCatalogTexts,
  ...apiDeliveryTexts,
  ...appDeliveryTexts,
  ...apiLicensingTexts,
  ...apiTeamsTexts,
  ...apiDevicesTexts,
  ...apiBillingTexts,
  ...appBillingTexts,
  ...apiPolicyTexts,
  ...apiSupportTexts,
  ...apiMcpTexts,
  ...designMcpTexts,
  ...shopMcpTexts,
  ...designDocumentsTexts,
  ...designCollectTexts,
  ...designGalleryTexts,
  ...shopOrdersTexts,
  ...shopSalesTexts,
  ...shopAccountsTexts,
  ...shopKeysTexts,
  ...shopProductsTexts,
  ...shopLookTexts,
  ...shopSupportTexts,
  ...shopSearchTexts,
  ...shopWebhooksTexts,
  ...shopPeopleTexts,
  ...shopNoticesTexts,
} satisfies { readonly [Id in EndpointId]: DocumentationOf<Endpoints[Id]> };

/** The documentation of an endpoint that is only known at run time. */
export const documentationOf = ({ id }: Pick<EndpointSpec, 'id'>): EndpointDocumentation => {
  const documentation: EndpointDocumentation = DOCUMENTATION[id as EndpointId];
  const values: EndpointDocumentation['pathExamples'] = { ...USUAL_PARAMS, ...documentation.pathExamples };
  const names = pathParams(ENDPOINTS[id as EndpointId].path);
  return { ...documentation, pathExamples: Object.fromEntries(names.map((name) => [name, values[name] as string])) };
};
