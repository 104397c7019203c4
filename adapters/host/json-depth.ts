/** The most levels of arrays and objects in a JSON body. No call needs more than a dozen. */
export const MAX_JSON_LEVELS = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SQUARE = 0x5b;
const SQUARE_END = 0x5d;
const CURLY = 0x7b;
const CURLY_END = 0x7d;

/** The place of the quote that ends a string; -1 where the string has no end. */
const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
};

/**
 * True for a JSON text that opens more than `levels` arrays and objects within each other. It reads the text once and
 * builds no value, so that a hostile text costs no more than its length. For a text that is no JSON, the answer means
 * nothing.
 */
export const isDeeperThan = (text: string, levels: number): boolean => {
  // Each level takes two characters.
  if (text.length <= 2 * levels) return false;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === SQUARE || code === CURLY) {
      if (++open > levels) return true;
    } else if (code === SQUARE_END || code === CURLY_END) {
      open--;
    }
  }
  return false;
};
