import type { HandlersOf } from '../../adapters/pipeline/handler.ts';
import type { AuditedParts } from '../../adapters/store/audit-trail.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { AuthenticateAgent } from '../../application/access/authenticate.ts';
import type { EndpointTable } from '../../ports/inbound/endpoint.ts';
import type { EndpointId } from '../../ports/inbound/endpoints.ts';
import type { Links } from '../../ports/outbound/links.ts';

/** Makes a part of the service from other parts, which it takes by name. */
export type Make<P, T> = (parts: P) => T;

export type Makers = Readonly<Record<string, (parts: never) => unknown>>;

/** Makes a use case or an adapter whose constructor takes the parts that it needs. */
export const part =
  <P, T>(Class: new (parts: P) => T): Make<P, T> =>
  (parts) =>
    new Class(parts);

/** Makes a repository over the table whose changes the audit log keeps. */
export const onAudited =
  <T>(Class: new (parts: AuditedParts) => T): Make<AuditedParts, T> =>
  (parts) =>
    new Class(parts);

/** Makes a repository over the table. */
export const onTable =
  <T>(Class: new (table: Table) => T): Make<{ readonly table: Table }, T> =>
  ({ table }) =>
    new Class(table);

/**
 * An area of the service: its parts, by the names that constructors ask for, its endpoints, and their handlers, which
 * take their use cases by the same names. A function loads the endpoints of its own areas alone.
 */
export type Area<M extends Makers = Makers> = {
  readonly parts: M;
  readonly endpoints?: EndpointTable;
  readonly handlers?: (parts: never) => object;
};

export type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The parts that these makers make, by name. */
export type PartsOf<M extends Makers> = { readonly [N in keyof M]: ReturnType<M[N]> };

/** Never if nothing is taken: an `unknown` would absorb all that a union holds beside it. */
export type TakenParts<P> = unknown extends P ? never : P;

/** What handlers take beside their area's parts. Endpoints for agents need a service that identifies agents. */
type Beside<E extends EndpointTable> = { readonly links: Links } & ([
  Extract<E[keyof E]['access']['credential'], 'agent'>,
] extends [never]
  ? unknown
  : { readonly authenticateAgent: AuthenticateAgent });

/** An area whose handlers also use the parts N of other areas. */
export const areaUsing =
  <N>() =>
  <M extends Makers, E extends EndpointTable>(wired: {
    readonly parts: M;
    readonly endpoints: E;
    readonly handlers: (use: PartsOf<M> & Beside<E> & N) => HandlersOf<keyof E & EndpointId>;
  }) =>
    wired;

/** An area that answers endpoints. It has a handler for each of them; a missing or a wrong one does not compile. */
export const area = areaUsing<unknown>();

export type NeededByMakers<M extends Makers> = UnionToIntersection<
  { [N in keyof M]: M[N] extends (parts: infer P) => unknown ? TakenParts<P> : never }[keyof M]
>;

/** The parts that the areas give. */
export type GivenBy<A extends readonly Area[]> = UnionToIntersection<PartsOf<A[number]['parts']>>;

/** The parts that the areas' parts and handlers take. */
export type NeededBy<A extends readonly Area[]> = UnionToIntersection<
  A[number] extends infer One
    ? One extends { readonly parts: infer M extends Makers; readonly handlers?: infer H }
      ? TakenParts<NeededByMakers<M> & (H extends (parts: infer P) => object ? P : unknown)>
      : never
    : never
>;

/**
 * `unknown` if the areas give all parts that they need. Otherwise a type that no list of areas has; it names the
 * missing parts.
 */
export type Complete<Given, Needed> = Given extends Needed
  ? unknown
  : {
      readonly 'these areas need parts that none of them gives':
        | Exclude<RequiredOf<Needed>, keyof Given>
        | WrongOf<Given, Needed>;
    };

/** The names of the parts that have to be there. */
export type RequiredOf<P> = { [N in keyof P]-?: object extends Pick<P, N> ? never : N }[keyof P];

export type WrongOf<Given, Needed> = {
  [N in keyof Needed & keyof Given]: Given[N] extends Needed[N] ? never : N;
}[keyof Needed & keyof Given];
