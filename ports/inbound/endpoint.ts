import type * as z from 'zod';
import type { Ability } from '../../domain/access/abilities.ts';
import type { Group } from './groups.ts';
import type { Host } from './hosts.ts';
import type { RefusalCode } from './refusals.ts';

/** Who may call: `key` needs an account API key, `key?` takes one where it is sent, `none` nothing at all. */
export type AccessRule =
  | { readonly credential: 'none' }
  | {
      readonly credential: 'key?';
      /** What a key that is sent must hold. */
      readonly keyAbility?: Ability;
    }
  | {
      readonly credential: 'key';
      /** Any valid key suffices where no ability is named. */
      readonly ability?: Ability;
      /** `entitlement`: the account may use the product in the path; `scoped`: the key is bound to just that product. */
      readonly requires?: readonly ('entitlement' | 'scoped')[];
    };

export type Output =
  | {
      readonly kind: 'json';
      readonly status: 200 | 201;
      readonly schema: z.ZodType;
      readonly example: unknown;
      /** Of an answer that created nothing, for what was asked for is there already: its member that says so. It is a 200. */
      readonly joinedBy?: string;
      /** Of that answer. */
      readonly joinedExample?: unknown;
    }
  | { readonly kind: 'css'; readonly status: 200 }
  | { readonly kind: 'xml'; readonly status: 200; readonly mediaType: string }
  | { readonly kind: 'binary'; readonly status: 200 }
  /** To an address that is made for this one answer. */
  | { readonly kind: 'redirect'; readonly status: 302 }
  | { readonly kind: 'empty'; readonly status: 204 };

/** A file that the body brings, as a part of multipart/form-data whose other parts are the fields of the body. */
export type UploadSpec = {
  /** Name of the part. */
  readonly part: string;
  readonly maxBytes: number;
  /** Where it is false, the body may come as application/json too, without the file. */
  readonly required: boolean;
};

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
  /** What the reference fills in for parts of the path, where its usual example would find nothing here. */
  readonly pathExamples?: Readonly<Record<string, string | number>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** What the reference fills in; every body has one. */
  readonly bodyExample?: Readonly<Record<string, unknown>>;
  /** Largest body in bytes; 64 KiB unless said. */
  readonly bodyLimit?: number;
  /** A file beside the fields of `body`. A form is read only once credential and rate limit have let it pass. */
  readonly upload?: UploadSpec;
  /** Requests a minute from one address, counted for this endpoint alone and in place of the usual limit. */
  readonly perMinute?: number;
  /** Creates something: takes an `Idempotency-Key`, under which the same request is answered once. */
  readonly idempotent?: true;
  readonly output: Output;
  /** Beyond those that follow from `access` and the input. */
  readonly refusals: readonly RefusalCode[];
  /**
   * `no-store` unless the answer may be kept: by the client, which asks again by its strong ETag, or by everybody for so
   * many seconds. What was asked for with a key is never everybody's.
   */
  readonly cache?: 'revalidate' | { readonly publicSeconds: number };
  /** The answer depends on Accept-Language. */
  readonly localized?: true;
  readonly summary: string;
  readonly description: string;
};

/** Media types that a body may come as. */
export const bodyTypes = ({ upload }: EndpointSpec): readonly string[] =>
  upload === undefined
    ? ['application/json']
    : upload.required
      ? ['multipart/form-data']
      : ['application/json', 'multipart/form-data'];

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
export type FileOf<E extends EndpointSpec, F> = E extends { upload: { required: infer R } }
  ? R extends true
    ? F
    : F | null
  : null;
export type JsonOf<E extends EndpointSpec> = E['output'] extends { kind: 'json'; schema: infer S extends z.ZodType }
  ? ReadonlyDeep<z.output<S>>
  : never;
