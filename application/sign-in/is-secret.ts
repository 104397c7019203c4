/** True for a text that a value from `Secrets` can be. Any other text is refused without a look-up. */
export const isSecret = (text: string | null | undefined): text is string =>
  typeof text === 'string' && /^[\w-]{43}$/.test(text);
