import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Host } from '../host/host.ts';
import { isStreamed } from '../host/reply.ts';
import { requestOf } from './request.ts';

/**
 * Serves a host as a function whose answer is streamed, in constant memory and up to 200 MB, through a REST API with
 * the transfer mode STREAM. A source that fails rejects, so that the gateway breaks the connection off and no part
 * passes for the whole. The end of a stream is told before the call ends, because an instance is frozen then.
 */
export const streamed = (host: Host) =>
  awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, to) => {
    const { status, headers, body, ended } = await host.handle(requestOf(event));
    const response = awslambda.HttpResponseStream.from(to, { statusCode: status, headers });
    try {
      // Also where the body is empty: the runtime sends the head with the first write, and none without.
      response.write('');
      if (isStreamed(body)) await pipeline(body.stream, response);
      else await pipeline(Readable.from(body === null ? [] : [body]), response);
    } finally {
      await ended?.();
    }
  });
