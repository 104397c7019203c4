/** Control characters (Unicode Cc), separators of lines and paragraphs, and halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Control characters other than tabs and line breaks. */
const UNSEEN = /[^\P{Cc}\t\n\r]/gu;

/** True for a text on one line, without control characters and halves of surrogate pairs. */
export const isLine = (text: string): boolean => !UNSAFE.test(text);

/** The text without control characters other than tabs and line breaks; U+FFFD replaces half a surrogate pair. */
export const cleanText = (text: string): string => text.toWellFormed().replace(UNSEEN, '');

/** True for a text of several lines that `cleanText` would leave as it is. */
export const isClean = (text: string): boolean => cleanText(text) === text;

/** Characters that no font shows: white space, those that only change others, and the empty pattern of Braille. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** True for a text that shows nothing, which people could not tell from another one in a list. */
export const isBlank = (text: string): boolean => text.replace(INVISIBLE, '') === '';
