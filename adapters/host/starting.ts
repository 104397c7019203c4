import { countedAddress } from '../../domain/access/rate-limit.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import { frameHeaders, type Host, requestIdOf } from './host.ts';
import { refusalReply } from './reply.ts';

/**
 * The Retry-After, in seconds. A start takes about one second; a first start, which loads the sample store, two or
 * three.
 */
const RETRY_SECONDS = 1;

type StartingLog = (line: {
  readonly id: string;
  readonly status: number;
  readonly code: string;
  readonly address: string;
}) => void;

/**
 * The host of a server that listens on its port but is not ready yet. It answers every request, also health checks,
 * with 503 and Retry-After, so that no client waits in vain during the start. Each answer has a line in the log.
 */
export const startingHost = (log: StartingLog): Host => ({
  handle: async ({ headers, address }) => {
    const id = requestIdOf(headers);
    const reply = refusalReply(refuse('unavailable', { message: 'The service is starting; try again in a second.' }));
    log({ id, status: reply.status, code: 'starting', address: countedAddress(address()) });
    return { ...reply, headers: { ...frameHeaders(id), ...reply.headers, 'retry-after': String(RETRY_SECONDS) } };
  },
  serves: () => true,
});
