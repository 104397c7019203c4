import type * as z from 'zod';
import type { EndpointSpec, PathParam } from '../endpoint.ts';
import type { EndpointId, Endpoints } from '../endpoints.ts';
import type { Group } from '../groups.ts';
import { billingDocumentation } from './billing.ts';
import { catalogDocumentation } from './catalog.ts';
import { collectDocumentation } from './collect.ts';
import { deliveryDocumentation } from './delivery.ts';
import { designMcpDocumentation } from './design-mcp.ts';
import { devicesDocumentation } from './devices.ts';
import { documentsDocumentation } from './documents.ts';
import { galleryDocumentation } from './gallery.ts';
import { licensingDocumentation } from './licensing.ts';
import { mcpDocumentation } from './mcp.ts';
import { policyDocumentation } from './policy.ts';
import { supportDocumentation } from './support.ts';

/** The schema and an example of a JSON answer. */
export type AnswerDocumentation = {
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** An example of the answer to a request that joined an existing record. */
  readonly joinedExample?: unknown;
};

/** The texts, examples and response schema of an endpoint, for the reference and for tests. */
export type EndpointDocumentation = {
  readonly group: Group;
  readonly summary: string;
  readonly description: string;
  /** The path parameters that the reference fills in. The sample store (examples/store) has these values. */
  readonly pathExamples?: Readonly<Record<string, string | number>>;
  /** The body that the reference fills in. The demo account of the sample store can send it unchanged. */
  readonly bodyExample?: Readonly<Record<string, unknown>>;
  readonly answer?: AnswerDocumentation;
  /** The meaning of the number in the header that `countedBy` of the output names. */
  readonly counted?: string;
};

type DocumentationOf<E extends EndpointSpec> = EndpointDocumentation &
  ([PathParam<E['path']>] extends [never]
    ? { readonly pathExamples?: never }
    : { readonly pathExamples: { readonly [N in PathParam<E['path']>]: string | number } }) &
  (E extends { body: z.ZodObject } ? { readonly bodyExample: object } : { readonly bodyExample?: never }) &
  (E['output'] extends { countedBy: string } ? { readonly counted: string } : { readonly counted?: never }) &
  (E['output'] extends { kind: 'json' } ? { readonly answer: AnswerDocumentation } : { readonly answer?: never });

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

type ReadonlyDeep<T> = T extends readonly (infer U)[]
  ? readonly ReadonlyDeep<U>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

/** The JSON that an endpoint answers with. */
export type AnswerOf<Id extends EndpointId> = Documentation[Id] extends {
  answer: { schema: infer S extends z.ZodType };
}
  ? ReadonlyDeep<z.output<S>>
  : never;

/** The documentation of an endpoint whose id is only known at run time. */
export const documentationOf = ({ id }: Pick<EndpointSpec, 'id'>): EndpointDocumentation =>
  DOCUMENTATION[id as EndpointId];
