import type * as z from 'zod';
import { type EndpointSpec, type PathParam, pathParams } from '../endpoint.ts';
import { ENDPOINTS, type EndpointId, type Endpoints } from '../endpoints.ts';
import type { Group } from '../groups.ts';
import type { RefusalCode } from '../refusals.ts';
import { billingDocumentation } from './billing.ts';
import { catalogDocumentation } from './catalog.ts';
import { collectDocumentation, collectRefusals } from './collect.ts';
import { deliveryDocumentation } from './delivery.ts';
import { devicesDocumentation } from './devices.ts';
import { documentRefusals, documentsDocumentation } from './documents.ts';
import { galleryDocumentation } from './gallery.ts';
import { licenseRefusals, licensingDocumentation } from './licensing.ts';
import { mcpDocumentation } from './mcp.ts';
import { policyDocumentation } from './policy.ts';
import {
  shopAccountsDocumentation,
  shopOrdersDocumentation,
  shopProductsDocumentation,
  shopRefusals,
  shopSupportDocumentation,
} from './shop.ts';
import { supportDocumentation } from './support.ts';

/** The path parameters that the reference fills in. The sample store (examples/store) has these values. */
const USUAL_PARAMS = {
  account: 1,
  key: 1,
  named: 'hashcheck',
  order: '1',
  product: 4,
  report: '1',
  run: 373_283_905_540_002,
  slug: 'buttons',
  ticket: 1,
} as const;

type UsualParam = keyof typeof USUAL_PARAMS;

/** The texts of an MCP tool, written for agents: when to use it, what follows, and what it costs. */
export type ToolDocumentation = {
  /** The summary of the endpoint, where it is left out. */
  readonly title?: string;
  readonly description: string;
};

/** The texts, inputs and answer of an endpoint, for the reference, for agents and for tests. */
export type EndpointDocumentation<G extends string = string> = {
  readonly group: G;
  readonly summary: string;
  readonly description: string;
  readonly tool?: ToolDocumentation;
  /** The path parameters that the reference fills in, where they are not as usual. The sample store has these values. */
  readonly pathExamples?: Readonly<Record<string, string | number>>;
  /** The body that the reference fills in. The demo account of the sample store can send it unchanged. */
  readonly bodyExample?: Readonly<Record<string, unknown>>;
  /** The schema of a JSON answer. The service itself gives the examples (`npm run examples`). */
  readonly answer?: z.ZodType;
  /** The meaning of the number in the header that `countedBy` of the output names. */
  readonly counted?: string;
};

/** The documentation that an endpoint needs: without a part of it, the endpoint does not compile. */
export type DocumentationOf<E extends EndpointSpec, G extends string = Group> = EndpointDocumentation<G> &
  ([Exclude<PathParam<E['path']>, UsualParam>] extends [never]
    ? { readonly pathExamples?: { readonly [N in PathParam<E['path']>]?: string | number } }
    : { readonly pathExamples: { readonly [N in Exclude<PathParam<E['path']>, UsualParam>]: string | number } }) &
  (E extends { tool: object } ? { readonly tool: ToolDocumentation } : { readonly tool?: never }) &
  (E extends { body: z.ZodObject } ? { readonly bodyExample: object } : { readonly bodyExample?: never }) &
  (E['output'] extends { countedBy: string } ? { readonly counted: string } : { readonly counted?: never }) &
  (E['output'] extends { kind: 'json' } ? { readonly answer: z.ZodType } : { readonly answer?: never });

/** The documentation of every endpoint by its id, in the order in which agents see their tools. */
export const DOCUMENTATION = {
  ...catalogDocumentation,
  ...deliveryDocumentation,
  ...licensingDocumentation,
  ...devicesDocumentation,
  ...billingDocumentation,
  ...policyDocumentation,
  ...supportDocumentation,
  ...mcpDocumentation,
  ...documentsDocumentation,
  ...collectDocumentation,
  ...galleryDocumentation,
  ...shopOrdersDocumentation,
  ...shopAccountsDocumentation,
  ...shopProductsDocumentation,
  ...shopSupportDocumentation,
} satisfies { readonly [Id in EndpointId]: DocumentationOf<Endpoints[Id]> };

export type Documentation = typeof DOCUMENTATION;

/** The documentation of an endpoint that is only known at run time. */
export const documentationOf = ({ id }: Pick<EndpointSpec, 'id'>): EndpointDocumentation => {
  const documentation: EndpointDocumentation = DOCUMENTATION[id as EndpointId];
  const values: EndpointDocumentation['pathExamples'] = { ...USUAL_PARAMS, ...documentation.pathExamples };
  const names = pathParams(ENDPOINTS[id as EndpointId].path);
  return { ...documentation, pathExamples: Object.fromEntries(names.map((name) => [name, values[name] as string])) };
};

export type ReadonlyDeep<T> = T extends readonly (infer U)[]
  ? readonly ReadonlyDeep<U>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

/** The JSON that an endpoint with this documentation answers with. */
export type AnswerIn<D> = D extends { answer: infer S extends z.ZodType } ? ReadonlyDeep<z.output<S>> : never;

export type AnswerOf<Id extends EndpointId> = AnswerIn<Documentation[Id]>;

/** The body of a refusal that has data beside `message`, `error` and `errors`. */
export type RefusalDocumentation = { readonly schema: z.ZodType };

/** The bodies of the refusals that have data beside `message`, `error` and `errors`. */
export const REFUSAL_DATA: Readonly<Partial<Record<RefusalCode, RefusalDocumentation>>> = {
  ...licenseRefusals,
  ...collectRefusals,
  ...documentRefusals,
  ...shopRefusals,
};
