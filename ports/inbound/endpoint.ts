import type { z } from 'zod';
import type { Ability } from '../../domain/access/abilities.ts';
import type { Group } from './groups.ts';
import type { Host } from './hosts.ts';
import type { RefusalCode } from './refusals.ts';

/** Who may call: `key` needs an account API key, `none` nothing at all. */
export type AccessRule =
  | { readonly credential: 'none' }
  | {
      readonly credential: 'key';
      /** Any valid key suffices where no ability is named. */
      readonly ability?: Ability;
      /** `entitlement`: the account may use the product in the path; `scoped`: the key is bound to just that product. */
      readonly requires?: readonly ('entitlement' | 'scoped')[];
    };

export type Output =
  | { readonly kind: 'json'; readonly status: 200 | 201; readonly schema: z.ZodType; readonly example: unknown }
  | { readonly kind: 'css'; readonly status: 200 }
  | { readonly kind: 'binary'; readonly status: 200 }
  | { readonly kind: 'empty'; readonly status: 204 };

/**
 * An endpoint is data. Routes, the OpenAPI document, access checks and tests all come from this one declaration, and
 * the types make its handler answer with just these outputs and refusals.
 */
export type EndpointSpec = {
  /** Also the operationId. */
  readonly id: string;
  readonly host: Host;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** `{product}` is looked up before the handler runs; `{path}` takes in slashes. */
  readonly path: `/${string}`;
  readonly group: Group;
  readonly access: AccessRule;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Largest body in bytes; 64 KiB unless said. */
  readonly bodyLimit?: number;
  readonly output: Output;
  /** Beyond those that follow from `access` and the input. */
  readonly refusals: readonly RefusalCode[];
  /** `no-store` unless the answer may be kept and asked for again by its strong ETag. */
  readonly cache?: 'revalidate';
  /** The answer depends on Accept-Language. */
  readonly localized?: true;
  readonly summary: string;
  readonly description: string;
};

/** Keeps the literal types of a declaration. */
export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

export type PathParam<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParam<Rest>
  : never;

type ReadonlyDeep<T> = T extends readonly (infer U)[]
  ? readonly ReadonlyDeep<U>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

export type QueryOf<E extends EndpointSpec> = E['query'] extends z.ZodObject ? z.output<E['query']> : null;
export type BodyOf<E extends EndpointSpec> = E['body'] extends z.ZodObject ? z.output<E['body']> : null;
export type JsonOf<E extends EndpointSpec> = E['output'] extends { kind: 'json'; schema: infer S extends z.ZodType }
  ? ReadonlyDeep<z.output<S>>
  : never;
