const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The most characters of a slug. */
export const LONGEST_SLUG = 100;

/** True for a name that a document may have: lower-case letters and digits, with single hyphens between them. */
export const isSlug = (text: string): boolean => text.length <= LONGEST_SLUG && SLUG.test(text);
