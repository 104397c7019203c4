import { VARIABLES } from '../../composition/config.ts';
import { type Finding, wrong } from './finding.ts';

/** Long names only, because a short one, such as API_URL, is too close to variables of other programs. */
const MEANT = VARIABLES.filter((name) => name.length >= 15);

/** True if one character is wrong, missing or extra, or if two neighbours are swapped. */
const isSlip = (typed: string, meant: string): boolean => {
  if (typed === meant) return false;
  let from = 0;
  while (from < typed.length && typed[from] === meant[from]) from++;
  const most = Math.min(typed.length, meant.length) - from;
  let same = 0;
  while (same < most && typed.at(-1 - same) === meant.at(-1 - same)) same++;
  const [was, is] = [typed.slice(from, typed.length - same), meant.slice(from, meant.length - same)];
  return Math.max(was.length, is.length) === 1 || (was.length === 2 && was === `${is[1]}${is[0]}`);
};

/**
 * Findings about variables whose names are nearly those of the service. Without them, the settings meant would silently
 * keep their defaults.
 */
export const misspelt = (env: Readonly<Record<string, string | undefined>>): Finding[] =>
  Object.keys(env).flatMap((typed) =>
    MEANT.filter((meant) => isSlip(typed, meant)).map((meant) =>
      wrong('configuration', `${typed} is no variable of the service and sets nothing; name it ${meant}.`),
    ),
  );
