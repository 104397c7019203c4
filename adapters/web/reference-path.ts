import type { Host } from '../../ports/inbound/hosts.ts';

/** The hosts that have endpoints, and so a document of their own. */
export const DOCUMENTED = ['api', 'design', 'app'] as const satisfies readonly Host[];

/** True for a request target of a host that the reference answers. The page is at the API host alone. */
export const isReference = (host: (typeof DOCUMENTED)[number], url: string): boolean =>
  (host === 'api' ? /^\/(?:openapi\.json|docs)(?:[/?]|$)/ : /^\/openapi\.json(?:[/?]|$)/).test(url);
