import type { AuditedParts } from '../../adapters/store/audit-trail.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { Made, Makers } from '../../application/shared/use-cases.ts';
import type { EndpointTable } from '../../ports/inbound/endpoint.ts';

/** Creates a part of the service from other parts, which it takes by name. */
export type Make<P, T> = (parts: P) => T;

/** Creates a use case or an adapter whose constructor takes the parts that it needs. */
export const part =
  <P, T>(Class: new (parts: P) => T): Make<P, T> =>
  (parts) =>
    new Class(parts);

/** Creates a repository on the table whose changes the audit log records. */
export const onAudited =
  <T>(Class: new (parts: AuditedParts) => T): Make<AuditedParts, T> =>
  (parts) =>
    new Class(parts);

/** Creates a repository on the table. */
export const onTable =
  <T>(Class: new (table: Table) => T): Make<{ readonly table: Table }, T> =>
  ({ table }) =>
    new Class(table);

/** Creates a part if the part N is there; null if it is null, such as `mailSettings` of a service that sends no mail. */
export const ifSet =
  <N extends string, P, T>(name: N, make: Make<P, T>): Make<Omit<P, N> & Readonly<Record<N, unknown>>, T | null> =>
  (parts) =>
    parts[name] === null ? null : make(parts as P);

/**
 * An area of the service: its parts under the names that constructors use, its endpoints, and their handlers, which
 * receive their use cases under the same names. An AWS function loads only the endpoints of its own areas.
 */
export type Area<M extends Makers = Makers> = {
  readonly parts: M;
  readonly endpoints?: EndpointTable;
  readonly handlers?: (parts: never) => object;
};

/** Adds parts to an area: the adapters of its ports, and the use cases that only other use cases call. */
export const withParts = <A extends Area, M extends Makers>(area: A, more: M) => ({
  ...area,
  parts: { ...area.parts, ...more } as A['parts'] & M,
});

/** The parts with these names. A name that is not a part does not compile. */
export const pick = <P, N extends keyof P>(parts: P, names: readonly N[]): Pick<P, N> =>
  Object.fromEntries(names.map((name) => [name, parts[name]])) as Pick<P, N>;

export type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** Never if no parts are taken, because `unknown` would absorb the rest of a union. */
export type TakenParts<P> = unknown extends P ? never : P;

export type NeededByMakers<M extends Makers> = UnionToIntersection<
  { [N in keyof M]: M[N] extends (parts: infer P) => unknown ? TakenParts<P> : never }[keyof M]
>;

/** The parts that the areas provide. */
export type GivenBy<A extends readonly Area[]> = UnionToIntersection<Made<A[number]['parts']>>;

/** The parts that the areas' parts and handlers take. */
export type NeededBy<A extends readonly Area[]> = UnionToIntersection<
  A[number] extends infer One
    ? One extends { readonly parts: infer M extends Makers; readonly handlers?: infer H }
      ? TakenParts<NeededByMakers<M> & (H extends (parts: infer P) => object ? P : unknown)>
      : never
    : never
>;

/**
 * `unknown` if the areas provide all parts that they need. Otherwise a type that no list of areas has; it names the
 * missing parts.
 */
export type Complete<Given, Needed> = Given extends Needed
  ? unknown
  : {
      readonly 'these areas need parts that none of them gives':
        | Exclude<RequiredOf<Needed>, keyof Given>
        | WrongOf<Given, Needed>;
    };

/** The names of the required parts. */
export type RequiredOf<P> = { [N in keyof P]-?: object extends Pick<P, N> ? never : N }[keyof P];

export type WrongOf<Given, Needed> = {
  [N in keyof Needed & keyof Given]: Given[N] extends Needed[N] ? never : N;
}[keyof Needed & keyof Given];
