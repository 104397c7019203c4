import type * as z from 'zod';
import type { EndpointSpec, PathParam } from '../endpoint.ts';
import type { Group } from '../groups.ts';

/** The schema and an example of a JSON answer. */
export type AnswerDocumentation = {
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** An example of the answer to a request that joined an existing record. */
  readonly joinedExample?: unknown;
};

/** The texts, examples and response schema of an endpoint, for the reference and for tests. */
export type EndpointDocumentation<G extends string = string> = {
  readonly group: G;
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

/** The documentation that an endpoint needs: without a part of it, the endpoint does not compile. */
export type DocumentationOf<E extends EndpointSpec, G extends string = Group> = EndpointDocumentation<G> &
  ([PathParam<E['path']>] extends [never]
    ? { readonly pathExamples?: never }
    : { readonly pathExamples: { readonly [N in PathParam<E['path']>]: string | number } }) &
  (E extends { body: z.ZodObject } ? { readonly bodyExample: object } : { readonly bodyExample?: never }) &
  (E['output'] extends { countedBy: string } ? { readonly counted: string } : { readonly counted?: never }) &
  (E['output'] extends { kind: 'json' } ? { readonly answer: AnswerDocumentation } : { readonly answer?: never });

/** The texts of an MCP tool, written for agents: when to use it, what follows, and what it costs. */
export type ToolDocumentation = {
  readonly title: string;
  readonly description: string;
};

/** The body of a refusal that has data beside `message`, `error` and `errors`. */
export type RefusalDocumentation = {
  readonly schema: z.ZodType;
  readonly example: Readonly<Record<string, unknown>>;
};

export type ReadonlyDeep<T> = T extends readonly (infer U)[]
  ? readonly ReadonlyDeep<U>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

/** The JSON that an endpoint with this documentation answers with. */
export type AnswerIn<D> = D extends { answer: { schema: infer S extends z.ZodType } }
  ? ReadonlyDeep<z.output<S>>
  : never;
