import { Unreadable } from '../unreadable.ts';

/** Style has a few escapes. Millions would take more memory than a thread has. */
const MOST_ESCAPES = 200_000;

const ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|([^\r\n\f]))/gi;
const LETTER = /^[a-z]$/i;

const isCharacter = (point: number) => point !== 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);

const plainEscape = (_: string, hex: string | undefined, character: string | undefined): string => {
  if (hex === undefined) return LETTER.test(character ?? '') ? (character ?? '') : `\\${character}`;
  const point = Number.parseInt(hex, 16);
  if (!isCharacter(point)) return '\\fffd ';
  const decoded = String.fromCodePoint(point);
  return LETTER.test(decoded) ? decoded : `\\${point.toString(16)} `;
};

/**
 * Style as a tokenizer of CSS takes it (CSS Syntax 3, section 3.3), with every escaped Latin letter written plainly:
 * `\75rl(` becomes `url(`, so that a name is recognised by its text. The meaning stays the same.
 */
export const plainCss = (css: string): string => {
  let escapes = 0;
  for (let at = css.indexOf('\\'); at >= 0; at = css.indexOf('\\', at + 1)) escapes++;
  if (escapes > MOST_ESCAPES) throw new Unreadable(`Its style has more than ${MOST_ESCAPES} escaped characters.`);
  return css
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll('\f', '\n')
    .replaceAll('\0', '\ufffd')
    .replace(ESCAPE, plainEscape);
};
