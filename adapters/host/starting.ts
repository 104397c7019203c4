import { refuse } from '../../domain/shared/outcome.ts';
import { frameHeaders, type Host, requestIdOf } from './host.ts';
import { refusalReply } from './reply.ts';

/**
 * The Retry-After, in seconds. A start takes about one second; a first start, which loads the sample store, two or
 * three.
 */
const RETRY_SECONDS = 1;

/**
 * The host of a server that listens on its port but is not ready yet. It answers every request, also health checks,
 * with 503 and Retry-After, so that no client waits in vain during the start.
 */
export const STARTING: Host = {
  handle: async ({ headers }) => {
    const reply = refusalReply(refuse('unavailable', { message: 'The service is starting; try again in a second.' }));
    return {
      ...reply,
      headers: { ...frameHeaders(requestIdOf(headers)), ...reply.headers, 'retry-after': String(RETRY_SECONDS) },
    };
  },
  serves: () => true,
};
