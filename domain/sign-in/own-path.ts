/** The longest path that is gone on to after a sign-in. */
const LONGEST_PATH = 2048;

/**
 * The path to go on to after a sign-in, if it is one of this host's own; else `instead`. A path begins with one slash:
 * browsers read `//host`, `/\host` and the same with a tab or a line break inside as another host (WHATWG URL).
 */
export const ownPath = (next: string | null | undefined, instead: string): string =>
  typeof next === 'string' && next.length <= LONGEST_PATH && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)
    ? next
    : instead;
