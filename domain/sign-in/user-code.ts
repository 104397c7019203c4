/** The letters of user codes: consonants that spell no word and are hard to confuse (RFC 8628, section 6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
export const USER_CODE_LENGTH = 8;

const PLAIN = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

/** The most characters of a typed code that are looked at. */
const LONGEST_TYPED = 64;

/** A user code as people read it: `XXXX-XXXX`. */
export const shownUserCode = (plain: string): string => `${plain.slice(0, 4)}-${plain.slice(4)}`;

/** The plain form of a typed user code, whatever its case, spaces and dashes; undefined for a text that can be none. */
export const plainUserCode = (typed: string): string | undefined => {
  if (typed.length > LONGEST_TYPED) return undefined;
  const plain = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return PLAIN.test(plain) ? plain : undefined;
};
