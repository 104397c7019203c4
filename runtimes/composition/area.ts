import type { HandlersFor } from '../../adapters/pipeline/handler.ts';
import type { Audited } from '../../adapters/store/audit-trail.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { AreaDocumentation, DocumentationFor } from '../../ports/inbound/documentation/area-documentation.ts';
import type { EndpointTable } from '../../ports/inbound/endpoint.ts';
import type { EndpointId } from '../../ports/inbound/endpoints.ts';

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
  <T>(Class: new (parts: Audited) => T): Make<Audited, T> =>
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
  /**
   * Loads the documentation of endpoints outside of this package, for the OpenAPI document and MCP alone. This
   * package's own is theirs already.
   */
  readonly documentation?: () => Promise<AreaDocumentation>;
};

/**
 * An area with endpoints of a team's own. It checks by types alone: an endpoint without a handler, without its
 * documentation, or a tool without its texts does not compile, and the error names it.
 */
export const ownArea = <const M extends Makers, const T extends EndpointTable, P, D extends AreaDocumentation>(
  area: OwnArea<M, T, P, D> & { readonly documentation: () => Promise<DocumentationFor<T, D>> },
): OwnArea<M, T, P, D> => area;

export type OwnArea<M extends Makers, T extends EndpointTable, P, D extends AreaDocumentation> = {
  readonly parts: M;
  readonly endpoints: T;
  readonly documentation: () => Promise<D>;
  readonly handlers: (parts: P) => HandlersFor<T, D>;
};

export type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The parts that these makers make, by name. */
export type PartsOf<M extends Makers> = { readonly [N in keyof M]: ReturnType<M[N]> };

/** Never if nothing is taken: an `unknown` would absorb all that a union holds beside it. */
export type Taken<P> = unknown extends P ? never : P;

export type NeededByMakers<M extends Makers> = UnionToIntersection<
  { [N in keyof M]: M[N] extends (parts: infer P) => unknown ? Taken<P> : never }[keyof M]
>;

/** The parts that the areas give. */
export type GivenBy<A extends readonly Area[]> = UnionToIntersection<PartsOf<A[number]['parts']>>;

/** The parts that the areas' parts and handlers take. */
export type NeededBy<A extends readonly Area[]> = UnionToIntersection<
  A[number] extends infer One
    ? One extends { readonly parts: infer M extends Makers; readonly handlers?: infer H }
      ? Taken<NeededByMakers<M> & (H extends (parts: infer P) => object ? P : unknown)>
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

export type UndescribedOf<One> = One extends { readonly endpoints: infer T }
  ? One extends { readonly documentation: () => Promise<{ readonly endpoints: infer D }> }
    ? Exclude<keyof T, keyof D>
    : Exclude<keyof T, EndpointId>
  : never;

/** `unknown` if every endpoint of the areas is this package's or documented by its area; see `Complete`. */
export type Described<A extends readonly Area[]> = [UndescribedOf<A[number]>] extends [never]
  ? unknown
  : { readonly 'these endpoints lack the documentation of their area': UndescribedOf<A[number]> };

/** The names of the parts that have to be there. */
export type RequiredOf<P> = { [N in keyof P]-?: object extends Pick<P, N> ? never : N }[keyof P];

export type WrongOf<Given, Needed> = {
  [N in keyof Needed & keyof Given]: Given[N] extends Needed[N] ? never : N;
}[keyof Needed & keyof Given];
