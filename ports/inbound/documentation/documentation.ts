import type { EndpointSpec } from '../endpoint.ts';
import type { EndpointId, Endpoints } from '../endpoints.ts';
import { billingDocumentation } from './billing.ts';
import { catalogDocumentation } from './catalog.ts';
import { collectDocumentation } from './collect.ts';
import { deliveryDocumentation } from './delivery.ts';
import { designMcpDocumentation } from './design-mcp.ts';
import { devicesDocumentation } from './devices.ts';
import { documentsDocumentation } from './documents.ts';
import type { AnswerIn, DocumentationOf, EndpointDocumentation } from './endpoint-documentation.ts';
import { galleryDocumentation } from './gallery.ts';
import { licensingDocumentation } from './licensing.ts';
import { mcpDocumentation } from './mcp.ts';
import { policyDocumentation } from './policy.ts';
import { supportDocumentation } from './support.ts';

/** The documentation of every endpoint by its id. An endpoint without it does not compile. */
export const DOCUMENTATION = {
  ...catalogDocumentation,
  ...deliveryDocumentation,
  ...licensingDocumentation,
  ...devicesDocumentation,
  ...billingDocumentation,
  ...policyDocumentation,
  ...supportDocumentation,
  ...mcpDocumentation,
  ...designMcpDocumentation,
  ...documentsDocumentation,
  ...collectDocumentation,
  ...galleryDocumentation,
} satisfies { readonly [Id in EndpointId]: DocumentationOf<Endpoints[Id]> };

export type Documentation = typeof DOCUMENTATION;

/** The JSON that an endpoint answers with. */
export type AnswerOf<Id extends EndpointId> = AnswerIn<Documentation[Id]>;

/** The documentation of an endpoint that is only known at run time. */
export const documentationOf = ({ id }: Pick<EndpointSpec, 'id'>): EndpointDocumentation =>
  DOCUMENTATION[id as EndpointId];
