import type * as z from 'zod';
import type { EndpointSpec, EndpointTable, PathParam } from '../endpoint.ts';
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

/**
 * The documentation of an area, as a module of its own exports it. Only the OpenAPI document and MCP load it: no
 * request waits for it.
 */
export type AreaDocumentation = {
  /** By the id of the endpoint. */
  readonly endpoints: Readonly<Record<string, EndpointDocumentation>>;
  /** By the id of the endpoint, in the order of the list of tools. */
  readonly tools?: Readonly<Record<string, ToolDocumentation>>;
  /** Descriptions of groups beside those of this package (`groups.ts`). */
  readonly groups?: Readonly<Record<string, string>>;
  /** By the code of a refusal of the area's own. */
  readonly refusals?: Readonly<Partial<Record<string, RefusalDocumentation>>>;
};

/** The ids of the endpoints that are MCP tools. */
export type ToolIdOf<T extends EndpointTable> = {
  [Id in keyof T]: T[Id] extends { tool: object } ? Id : never;
}[keyof T];

export type GroupOf<D extends AreaDocumentation> = Group | (D extends { groups: infer G } ? keyof G & string : never);

/** The documentation that the endpoints of a table need. Their groups are this package's and those that D describes. */
export type DocumentationFor<T extends EndpointTable, D extends AreaDocumentation = AreaDocumentation> = {
  readonly endpoints: { readonly [Id in keyof T]: DocumentationOf<T[Id], GroupOf<D>> };
  readonly groups?: { readonly [G in Group]?: never };
} & ([ToolIdOf<T>] extends [never] ? unknown : { readonly tools: { readonly [Id in ToolIdOf<T>]: ToolDocumentation } });

export type ReadonlyDeep<T> = T extends readonly (infer U)[]
  ? readonly ReadonlyDeep<U>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

/** The JSON that an endpoint with this documentation answers with. */
export type AnswerIn<D> = D extends { answer: { schema: infer S extends z.ZodType } }
  ? ReadonlyDeep<z.output<S>>
  : never;

/** Endpoints beside those of this package, and their documentation. */
export type OwnEndpoints = {
  readonly endpoints: readonly EndpointSpec[];
  readonly documentation: AreaDocumentation;
  /** Errors of documentation that can't be loaded. Its endpoints are not among these. */
  readonly faults?: readonly Error[];
};
