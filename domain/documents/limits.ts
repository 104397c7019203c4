/** The most bytes of UTF-8 of a version's text. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The most documents, versions of one document, and versions that wait for a verdict. */
export const MAX_DOCUMENTS = 500;
export const MAX_VERSIONS = 10_000;
export const MAX_PENDING = 500;
