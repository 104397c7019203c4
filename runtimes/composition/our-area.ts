import type { Area } from './area.ts';

const OURS = new WeakSet<Area>();

/**
 * An area of this package with endpoints. Any other area is a team's own, whatever it is made of, so that it is checked
 * and documented as one.
 */
export const ourArea = <A extends Area>(area: A): A => {
  OURS.add(area);
  return area;
};

export const isOurs = (area: Area): boolean => OURS.has(area);
