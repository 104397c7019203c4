import type { Area, Complete, Described, GivenBy, NeededBy } from './area.ts';
import type { CALL_AREAS } from './areas/calls.ts';
import type { Everything } from './areas/everything.ts';
import type { Base, PartsWith } from './parts.ts';
import type { Service } from './service.ts';

export type WithCalls<A extends readonly Area[]> = [...typeof CALL_AREAS, ...A];

/**
 * Areas of a team's own in a server. The parts that they need are theirs, or those of a service that answers calls. For
 * parts of a further area of this package, the list names that area too.
 */
export type OwnAreas<A extends readonly Area[]> = A &
  Complete<PartsWith<WithCalls<A>>, NeededBy<[...Base, ...WithCalls<A>]>> &
  Described<A>;

/** The service of a server that has these areas beside every one of this package. */
export type ServiceWith<A extends readonly Area[]> = Service<Everything & GivenBy<A>>;

/**
 * Areas of this package and then those of a team's own, each once. The type stays that of the first, because `OwnAreas`
 * has checked the others where they came in.
 */
export const withAreas = <const A extends readonly Area[]>(areas: A, own: readonly Area[]): A =>
  [...new Set([...areas, ...own])] as readonly Area[] as A;
