/** True for a request target that the reference answers. */
export const isReference = (url: string): boolean => /^\/(?:openapi\.json|docs)(?:[/?]|$)/.test(url);
