/** Control characters (Unicode Cc), line and paragraph separators, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Control characters other than tabs and line breaks. */
const UNSEEN = /[^\P{Cc}\t\n\r]/gu;

/** True for a text on one line, without control characters or lone surrogates. */
export const isLine = (text: string): boolean => !UNSAFE.test(text);

/** The text without control characters other than tabs and line breaks; U+FFFD replaces a lone surrogate. */
export const cleanText = (text: string): string => text.toWellFormed().replace(UNSEEN, '');

/** True for a text of several lines that `cleanText` would leave unchanged. */
export const isClean = (text: string): boolean => cleanText(text) === text;

/** Invisible characters: whitespace, combining marks, and the blank Braille pattern. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** True for a text without visible characters, which people could not recognize in a list. */
export const isBlank = (text: string): boolean => text.replace(INVISIBLE, '') === '';

/** Control characters, format characters, line separators, and lone surrogates. */
const UNSEEN_IN_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * A name from outside, on one line of at most `most` characters, without invisible characters or changes of text
 * direction; null if nothing is left.
 */
export const plainName = (text: string, most = Number.POSITIVE_INFINITY): string | null => {
  const name = [...text.replace(UNSEEN_IN_NAMES, ' ').trim()].slice(0, most).join('').trim();
  return isBlank(name) ? null : name;
};

/** The size in bytes of one character, given as a text of one code point. */
const bytesOf = (character: string): number => {
  const code = character.codePointAt(0) as number;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
};

/** The size of a text in bytes of UTF-8. A lone surrogate counts as its replacement character, three bytes. */
export const utf8Length = (text: string): number => {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character);
  return bytes;
};

/** False for a text that is too long to be in the key of a record, or has half of a surrogate pair, so it names none. */
export const canName = (text: string): boolean => text.isWellFormed() && utf8Length(text) <= 900;

/** The longest prefix of a text with at most this many bytes of UTF-8, without splitting a character. */
export const beginningOf = (text: string, mostBytes: number): string => {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > mostBytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
};

/** A percent sign that does not encode a byte. */
const PLAIN_SIGN = /%(?![\da-f]{2})/gi;

/**
 * The percent-decoded text; undefined if its bytes are not UTF-8. A percent sign that encodes nothing stays as it is.
 */
export const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replace(PLAIN_SIGN, '%25'));
  } catch {
    return undefined;
  }
};
