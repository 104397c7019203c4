import { isBlank } from './plain-text.ts';

/** Control, format and line-separating characters, and halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * A name that somebody else chose, on one line of at most `most` characters, without characters that nobody sees or that
 * change the direction of the text around them; null where nothing of it is left.
 */
export const plainName = (text: string, most = Number.POSITIVE_INFINITY): string | null => {
  const name = [...text.replace(UNSEEN, ' ').trim()].slice(0, most).join('').trim();
  return isBlank(name) ? null : name;
};
