import type { HtmlSanitizer } from '../../ports/outbound/catalog.ts';

/**
 * Loads the sanitizer with the first text, because most calls need none and it is a sixth of a Lambda function's code.
 */
export const htmlSanitizer: HtmlSanitizer = {
  sanitize: async (html) => (await import('./sanitizer.ts')).sanitize(html),
};
