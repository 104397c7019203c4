import type * as z from 'zod';
import type { AccessRule } from '../../domain/access/access-rule.ts';
import { once } from './answers.ts';
import type { Host } from './hosts.ts';
import type { RefusalCode } from './refusals.ts';

export type Output =
  | {
      readonly kind: 'json';
      readonly status: 200 | 201;
      /**
       * The response field that is true when the request joined an existing record: the status is then 200 instead of
       * 201.
       */
      readonly joinedBy?: string;
      /**
       * The alternative form of an answer. `empty`: null becomes 204 without a body. `redirect`: a string becomes 302
       * to that URL.
       */
      readonly otherwise?: 'empty' | 'redirect';
      /** The response field with the code of the decision, for log and metrics. */
      readonly decidedBy?: string;
    }
  | { readonly kind: 'css'; readonly status: 200 }
  | { readonly kind: 'xml'; readonly status: 200; readonly mediaType: string }
  | { readonly kind: 'binary'; readonly status: 200 }
  /** A redirect to a URL created for this request. */
  | { readonly kind: 'redirect'; readonly status: 302 }
  | {
      readonly kind: 'empty';
      readonly status: 204;
      /** The response header with the number of changed records. */
      readonly countedBy?: string;
    };

/** A file part of a form. */
export type FileSpec = {
  readonly maxBytes: number;
  readonly required: boolean;
};

/** The endpoint as an MCP tool. `effect` becomes the hints that tell an agent the effect of a call. */
export type ToolSpec = {
  /** 1 to 40 characters of `a-z`, `0-9` and `_`. */
  readonly name: string;
  readonly effect: 'reads' | 'adds' | 'replaces' | 'destroys';
  /** Argument names by request field, for fields that have another name in the other tools. */
  readonly renames?: Readonly<Record<string, string>>;
};

/**
 * The declaration of an endpoint. Its route, OpenAPI operation, access checks, MCP tool and tests are derived from it,
 * and its types bind the handler to this answer and these refusals. Its texts are in `<area>.texts.ts`, which requests
 * don't load.
 */
export type EndpointSpec = {
  /** Also the operationId. */
  readonly id: string;
  readonly host: Host;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** `{product}` is looked up before the handler runs; `{path}` may contain slashes. */
  readonly path: `/${string}`;
  /**
   * One field for each parameter of the path. A value that can't be an id becomes null and is answered with 404. Each
   * schema of an endpoint is a function, which is called once, with the first use: creating all would slow each start.
   */
  readonly params?: () => z.ZodObject;
  readonly access: AccessRule;
  /** The call changes the calling API key itself, so a sign-in token is refused. */
  readonly actsOnKey?: true;
  readonly query?: () => z.ZodObject;
  readonly body?: () => z.ZodObject;
  /** The maximum size of the body in bytes; 64 KiB by default. In a form it limits all fields together. */
  readonly bodyLimit?: number;
  /**
   * The files in addition to the fields of `body`, by part name of multipart/form-data. If no file is required, the
   * body may also be application/json.
   */
  readonly files?: Readonly<Record<string, FileSpec>>;
  /** The requests per minute from one address, counted for this endpoint only, in place of the usual limit. */
  readonly perMinute?: number;
  /** The endpoint creates a record and accepts an `Idempotency-Key`; repetitions under one key get the first answer. */
  readonly idempotent?: true;
  /**
   * The endpoint accepts an `Idempotency-Key` but creates a new answer each time, because its answer has secrets, which
   * are never stored. The key is passed to the use case.
   */
  readonly named?: true;
  readonly output: Output;
  /** The schema of a JSON answer, for documentation. Examples are recorded from the service (`npm run examples`). */
  readonly answer?: () => z.ZodType;
  /** Refusals in addition to those implied by `access` and the input. */
  readonly refusals: readonly RefusalCode[];
  /**
   * Absent: the answer is `no-store`. `revalidate`: the client may keep the answer and revalidates it by its strong
   * ETag. `publicSeconds`: any cache may store the answer for this time, unless the request had a key.
   */
  readonly cache?: 'revalidate' | { readonly publicSeconds: number };
  /**
   * The answer depends on Accept-Language. `worded`: it has the service's own texts, in the requested language.
   * `described`: its products state their language in `content_locale`. True: it has only texts of the shop, each in an
   * available language.
   */
  readonly localized?: true | 'worded' | 'described';
  readonly tool?: ToolSpec;
  /**
   * The endpoint speaks this protocol on top of HTTP. Its own route answers it instead of a handler; `output` describes
   * the reply to one message.
   */
  readonly protocol?: 'mcp';
};

/** Only an endpoint with a JSON answer has a schema. */
export type AnswersJson =
  | { readonly output: { readonly kind: 'json' }; readonly answer: () => z.ZodType }
  | { readonly output: { readonly kind: Exclude<Output['kind'], 'json'> }; readonly answer?: never };

/** The declarations of endpoints by id, as a module of declarations exports them. */
export type EndpointTable = Readonly<Record<string, EndpointSpec>>;

export const bodyTypes = ({ files }: Pick<EndpointSpec, 'files'>): readonly string[] => {
  if (files === undefined) return ['application/json'];
  const isForm = Object.values(files).some(({ required }) => required);
  return isForm ? ['multipart/form-data'] : ['application/json', 'multipart/form-data'];
};

/** True if a request may have an `Idempotency-Key`. */
export const takesName = ({ idempotent, named }: Pick<EndpointSpec, 'idempotent' | 'named'>): boolean =>
  idempotent === true || named === true;

/** The names of the path parameters, in order. */
export const pathParams = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** True if the endpoint takes no credential, so that all callers are equal. */
export const isOpen = ({ access: { credential } }: Pick<EndpointSpec, 'access'>): boolean =>
  credential === 'none' || credential === 'gallery';

/** True if an account's credential is accepted, even if optional. */
export const isOfAccounts = ({ access: { credential } }: Pick<EndpointSpec, 'access'>): boolean =>
  credential === 'key' || credential === 'key?';

/** True if the path names a product. */
export const isOfProduct = ({ path }: Pick<EndpointSpec, 'path'>): boolean => path.includes('{product}');

export type ParamsOf<P extends string> = { readonly params: () => z.ZodObject<{ [N in PathParam<P>]: z.ZodType }> };

/** The fields with defaults. */
const USUAL = {
  method: 'GET',
  output: { kind: 'json', status: 200 },
  refusals: [],
} as const satisfies Partial<EndpointSpec>;

type Usual = typeof USUAL;

/** An endpoint as declared, without the fields that have their defaults. */
type Declaration = Omit<EndpointSpec, keyof Usual> & Partial<Pick<EndpointSpec, keyof Usual>>;

/** The endpoint of a declaration. */
type Declared<E> = E & Omit<Usual, keyof E>;

type PathOf<P extends string> = { readonly path: P } & ([PathParam<P>] extends [never]
  ? { readonly params?: never }
  : ParamsOf<P>);

/** The declaration with schemas that are created once. */
const withKeptSchemas = <E extends Partial<Declaration>>(spec: E): E => {
  const kept = { ...spec };
  for (const name of ['params', 'query', 'body', 'answer'] as const) {
    const make = spec[name];
    if (make !== undefined) Object.assign(kept, { [name]: once<z.ZodType>(make) });
  }
  return kept;
};

/**
 * Declares an endpoint. It keeps the literal types and requires a field of `params` for each path parameter. Defaults:
 * the method `GET`, a JSON answer with status 200, and only the refusals implied by `access` and the input.
 */
export const endpoint = <const P extends `/${string}`, const E extends Declaration & { readonly path: P }>(
  spec: E & PathOf<P>,
): Declared<E> => ({ ...USUAL, ...withKeptSchemas(spec) });

/** Like `endpoint`, for endpoints that share fields, such as their host. Each may override them. */
export const endpointsOf =
  <const S extends Partial<Declaration>>(shared: S) =>
  <
    const P extends `/${string}`,
    const E extends Omit<Declaration, keyof S> & Partial<Declaration> & { readonly path: P },
  >(
    spec: E & (S extends { readonly params: () => z.ZodObject } ? unknown : PathOf<P>),
  ): Declared<E & Omit<S, keyof E>> => ({ ...USUAL, ...withKeptSchemas({ ...shared, ...spec }) });

export type PathParam<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParam<Rest>
  : never;

export type ReadonlyDeep<T> = T extends readonly (infer U)[]
  ? readonly ReadonlyDeep<U>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

/** The JSON that the endpoint answers with. */
export type AnswerIn<E> = E extends { answer: () => infer S extends z.ZodType } ? ReadonlyDeep<z.output<S>> : never;

export type ParamValues<E extends EndpointSpec> = E extends { params: () => infer S extends z.ZodObject }
  ? Readonly<z.output<S>>
  : unknown;
export type QueryOf<E extends EndpointSpec> = E['query'] extends () => z.ZodObject
  ? z.output<ReturnType<E['query']>>
  : null;
export type BodyOf<E extends EndpointSpec> = E['body'] extends () => z.ZodObject
  ? z.output<ReturnType<E['body']>>
  : null;
export type FilesOf<E extends EndpointSpec, F> = E extends { files: infer S extends Readonly<Record<string, FileSpec>> }
  ? { readonly [Part in keyof S]: S[Part]['required'] extends true ? F : F | null }
  : unknown;
