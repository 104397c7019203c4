import type { Admission } from '../../application/shared/admission.ts';
import type { Download } from '../../application/shared/download.ts';
import type { ReceivedFile } from '../../application/shared/received-file.ts';
import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Access, GrantedAccess } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { BodyOf, EndpointSpec, FileOf, JsonOf, PathParam, QueryOf } from '../../ports/inbound/endpoint.ts';
import type { Endpoints } from '../../ports/inbound/endpoints.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';

type Names<E extends EndpointSpec> = PathParam<E['path']>;

type AccessOf<E extends EndpointSpec> = E['access'] extends { requires: readonly (infer R)[] }
  ? 'entitlement' extends R
    ? GrantedAccess
    : Access
  : Access;

/** What a handler is called with: who calls, what was looked up for it, and the validated input. */
export type Call<E extends EndpointSpec> = {
  readonly key: E['access'] extends { credential: 'key' }
    ? ApiKey
    : E['access'] extends { credential: 'key?' }
      ? ApiKey | null
      : null;
  readonly locale: Locale;
  readonly path: { readonly [N in Exclude<Names<E>, 'product'>]: string };
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The file that came with the body, until the request is answered. */
  readonly file: FileOf<E, ReceivedFile>;
  /** Resolves once every gate was passed: await it before the first write. */
  readonly admitted: Admission;
} & ('product' extends Names<E>
  ? {
      readonly product: Product;
      /** What the account may do with the product; where an entitlement is required, that it is there. */
      readonly access: Promise<AccessOf<E>>;
    }
  : unknown);

export type ResultOf<E extends EndpointSpec> = E['output'] extends { kind: 'json' }
  ? JsonOf<E>
  : E['output'] extends { kind: 'css' | 'xml' | 'redirect' }
    ? string
    : E['output'] extends { kind: 'binary' }
      ? Download
      : null;

/** Answers with the declared output, or with one of the declared refusals. */
export type Handler<E extends EndpointSpec> = (
  call: Call<E>,
) => Promise<Outcome<ResultOf<E>, E['refusals'][number] & RefusalCode>>;

/** One handler for each endpoint of the table; a missing or a wrong one does not compile. */
export type Handlers = HandlersOf<keyof Endpoints>;

export type HandlersOf<Ids extends keyof Endpoints> = { readonly [Id in Ids]: Handler<Endpoints[Id]> };

/** A handler whose endpoint is only known at run time. */
export type AnyHandler = (call: {
  key: ApiKey | null;
  locale: Locale;
  path: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
  file: ReceivedFile | null;
  admitted: Admission;
  product: Product | undefined;
  access: Promise<Access> | undefined;
}) => Promise<Outcome<unknown, RefusalCode>>;
