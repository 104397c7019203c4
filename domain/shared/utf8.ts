/** The bytes of one character, given as a text of one code point. */
const bytesOf = (character: string): number => {
  const code = character.codePointAt(0) as number;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
};

/** The bytes of a text in UTF-8. Half of a surrogate pair counts as its replacement character, three bytes. */
export const utf8Length = (text: string): number => {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character);
  return bytes;
};

/** The longest beginning of a text that has at most so many bytes of UTF-8, without a cut character at its end. */
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
