import type { Download, ReceivedFile } from '../../application/shared/files.ts';
import type { Progress } from '../../application/shared/progress.ts';
import type { TwoSteps } from '../../application/shared/steps.ts';
import type { ApiKey } from '../../domain/access/api-key.ts';
import type {
  AccountPrincipal,
  AgentPrincipal,
  Anyone,
  MemberPrincipal,
  Principal,
  ProductScope,
  ShopRole,
} from '../../domain/access/principal.ts';
import type { Owner } from '../../domain/access/rate-limit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Access, GrantedAccess } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type {
  AnswerIn,
  BodyOf,
  EndpointSpec,
  FilesOf,
  ParamValues,
  PathParam,
  QueryOf,
} from '../../ports/inbound/endpoint.ts';
import type { EndpointId, Endpoints } from '../../ports/inbound/endpoints.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';

export type CallerOf<E extends EndpointSpec> = E['access'] extends { credential: 'key' }
  ? AccountPrincipal
  : E['access'] extends { credential: 'key?' }
    ? AccountPrincipal | Anyone
    : E['access'] extends { credential: 'agent'; role: ShopRole }
      ? AgentPrincipal | MemberPrincipal
      : E['access'] extends { credential: 'agent' }
        ? AgentPrincipal
        : Anyone;

export type AccessOf<E extends EndpointSpec> = E['access'] extends { requires: readonly (infer R)[] }
  ? 'entitlement' extends R
    ? GrantedAccess
    : Access
  : Access;

/** The caller as a use case sees it: the account, the product that the credential is bound to, and the key, if it is one. */
type OfAccount = { readonly account_id: number; readonly scope: ProductScope; readonly key: ApiKey | null };

/** The argument of a handler: the caller, the product that was looked up, and the validated input. */
export type Call<E extends EndpointSpec> = {
  readonly caller: CallerOf<E>;
  readonly params: ParamValues<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The uploaded files. They exist until the request is answered. */
  readonly files: FilesOf<E, ReceivedFile>;
  /** The owner of the limits that apply to the call: an account, an agent or an address. */
  readonly owner: Owner;
  readonly progress: Progress;
} & ('product' extends PathParam<E['path']> ? { readonly product: Product } : unknown) &
  (E['access'] extends { credential: 'key' } ? OfAccount : unknown) &
  (E extends { localized: true | 'worded' | 'described' } ? { readonly locale: Locale } : unknown) &
  (E extends { named: true } ? { readonly requestName: string | null } : unknown) &
  (E extends { actsOnKey: true } ? { readonly key: ApiKey } : unknown);

/** The type of a non-JSON answer, if the output declares one. */
type OtherwiseOf<E extends EndpointSpec> = E['output'] extends { otherwise: 'empty' }
  ? null
  : E['output'] extends { otherwise: 'redirect' }
    ? string
    : never;

export type ResultOf<E extends EndpointSpec> = E['output'] extends { kind: 'json' }
  ? AnswerIn<E> | OtherwiseOf<E>
  : E['output'] extends { kind: 'css' | 'xml' | 'redirect' }
    ? string
    : E['output'] extends { kind: 'binary' }
      ? Download
      : E['output'] extends { countedBy: string }
        ? number
        : null;

export type CodesOf<E extends EndpointSpec> = E['refusals'][number] & RefusalCode;

type EndpointOutcome<E extends EndpointSpec> = Outcome<ResultOf<E>, CodesOf<E>>;

/** The access of a permitted request: undefined if the endpoint names no product. */
type PassedAccess<E extends EndpointSpec> = 'product' extends PathParam<E['path']> ? AccessOf<E> : undefined;

/**
 * Returns the declared answer, or one of the declared refusals. A handler runs in parallel with the guards, so it may
 * only read. A handler that writes, or that needs the access, returns its second step.
 */
export type Handler<E extends EndpointSpec> = (call: Call<E>) => TwoSteps<EndpointOutcome<E>, PassedAccess<E>>;

/** One handler for each of these endpoints; a missing or wrong one is a type error. */
export type HandlersOf<Ids extends EndpointId> = {
  readonly [Id in Ids]: Handler<Endpoints[Id]>;
};

/** The call of an endpoint that is only known at run time. */
export type AnyCall = {
  readonly caller: Principal;
  readonly account_id: number | undefined;
  readonly scope: ProductScope | undefined;
  readonly key: ApiKey | null;
  readonly locale: Locale;
  /** The Idempotency-Key of the request; null if it has none. */
  readonly requestName: string | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly files: Readonly<Record<string, ReceivedFile | null>>;
  readonly owner: Owner;
  readonly progress: Progress;
  readonly product: Product | undefined;
};

/** A handler whose endpoint is only known at run time. */
export type AnyHandler = (call: AnyCall) => TwoSteps<Outcome<unknown, string>, Access | undefined>;

/** The handlers of a service by the id of their endpoint. */
export type AnyHandlers = Readonly<Record<string, AnyHandler>>;
