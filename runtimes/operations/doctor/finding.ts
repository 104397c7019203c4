/** The result of one check. The message is one line: what is there, or what is wrong and what to do about it. */
export type Finding = { readonly check: string; readonly ok: boolean; readonly message: string };

export const fine = (check: string, message: string): Finding => ({ check, ok: true, message });

export const wrong = (check: string, message: string): Finding => ({ check, ok: false, message });

/** The first five names, and the number of the others. */
export const firstOf = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
