import type { Everything } from './areas/all-areas.ts';

/** The wired service: any part of it by name. A part is made when it is first asked for. */
export type Service<P = Everything> = {
  readonly get: <Name extends keyof P>(name: Name) => P[Name];
  readonly parts: P;
};

/** Parts that replace those of the same names, such as a fake clock in a test or a team's own licenses. */
export type Overrides = { readonly [Name in keyof Everything]?: Everything[Name] };

/** Those of the parts that the names say. A name that is no part does not compile. */
export const pick = <P, N extends keyof P>(parts: P, names: readonly N[]): Pick<P, N> =>
  Object.fromEntries(names.map((name) => [name, parts[name]])) as Pick<P, N>;
