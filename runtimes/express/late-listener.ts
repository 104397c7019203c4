import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { frameHeaders, type HostOptions, requestIdOf } from '../../adapters/host/host.ts';
import { late } from '../../adapters/host/late.ts';
import { refusalReply } from '../../adapters/host/reply.ts';
import type { HostHeaders } from '../../adapters/host/request.ts';
import { sendReply } from '../../adapters/http/carry.ts';
import { refuse } from '../../domain/shared/outcome.ts';

const sendUnavailable = (res: ServerResponse, requestId: string): void => {
  const reply = refusalReply(refuse('unavailable'));
  void sendReply(res, { ...reply, headers: { ...frameHeaders(requestId), ...reply.headers } });
};

/**
 * The listener of an app that `load` loads with the first request, so that no start waits for its code. Requests that
 * arrive meanwhile wait. If the app can't be loaded, they get 503, the fault is
 * logged, and the next request tries again. Code that was read and failed to run fails until the process is started
 * anew, because Node remembers it.
 */
export const lateListener = (
  load: () => Promise<RequestListener>,
  { fault }: Pick<HostOptions, 'fault'>,
): RequestListener => {
  const loading = late(load);
  let told: unknown;
  let loaded: RequestListener | undefined;
  const handleLater = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      loaded = await loading();
    } catch (error) {
      const id = requestIdOf(req.headers as HostHeaders);
      // All requests that waited for one attempt get its fault, which the log needs once.
      if (error !== told) fault(error, id);
      told = error;
      sendUnavailable(res, id);
      return;
    }
    // A client that went away meanwhile gets no answer.
    if (!res.destroyed) loaded(req, res);
  };
  return (req, res) => (loaded ? loaded(req, res) : void handleLater(req, res));
};
