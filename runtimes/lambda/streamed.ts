import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import serverlessHttp from 'serverless-http';
import { AnswerWire } from './answer-wire.ts';
import { readable } from './event.ts';

/** Answers a request into the stream. Resolves at its end; rejects where the answer broke off. */
const answerInto = async (app: RequestListener, req: IncomingMessage, to: Writable): Promise<void> => {
  const wire = new AnswerWire((head) => awslambda.HttpResponseStream.from(to, head));
  const res = new ServerResponse(req);
  // The gateway frames the body by itself.
  res.useChunkedEncodingByDefault = false;
  res.shouldKeepAlive = false;
  // ServerResponse writes to its socket and listens to it, and does nothing else with one.
  res.assignSocket(wire as unknown as Socket);
  wire.on('drain', () => res.emit('drain'));
  wire.once('error', () => {});
  res.once('finish', () => wire.end());
  const closed = once(res, 'close');
  app(req, res);
  await closed;
  // The runtime then ends the stream in a way that the gateway breaks the connection off, so that no part passes for
  // the whole.
  if (!wire.writableFinished) throw new Error('The answer broke off.');
};

/**
 * The app as a function whose answer is streamed, in constant memory and up to 200 MB, through a REST API with the
 * transfer mode STREAM. The request is read by serverless-http as everywhere else; only the answer goes its own way.
 */
export const streamed = (app: RequestListener) =>
  awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, to, context: Context) => {
    let answered: Promise<void> | undefined;
    const serve = serverlessHttp((req: IncomingMessage, unused: ServerResponse) => {
      answered = answerInto(app, req, to);
      const done = (): void => void unused.end();
      answered.then(done, done);
    });
    await serve(readable(event), context);
    await answered;
  });
