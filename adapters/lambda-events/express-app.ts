import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Express } from 'express';
import serverlessHttp from 'serverless-http';
import { peerAddress } from '../host/peer-address.ts';
import { isBinary, requestOf, withinLimit } from './host-function.ts';

/** The client's address: serverless-http puts the one that the gateway names in the place of the socket's own. */
export const gatewayAddress = ({ socket }: IncomingMessage): string => peerAddress(socket.remoteAddress ?? '') ?? '';

/**
 * Makes up for two gaps of serverless-http. Express puts its own prototype in the place of the package's, and Node then
 * keeps the headers given to `writeHead` only where another one was set before. And a response that is destroyed has to
 * fail the call, which would wait for its end otherwise.
 */
const complete = (res: ServerResponse): ServerResponse => {
  const { destroy } = res;
  const breakOff = (error = new Error('The answer broke off before its end.')): ServerResponse => {
    setImmediate(() => {
      res.emit('close');
      res.emit('error', error);
    });
    return destroy.call(res, error);
  };
  res.setHeader('x-content-type-options', 'nosniff');
  return Object.assign(res, { destroy: breakOff }).on('error', () => {});
};

/**
 * Serves an Express app as a function that answers in one piece of up to 6 MB. The app gets the headers and the target
 * that a host gets, because serverless-http takes the last of several lines and fails where a query is no Unicode.
 */
export const expressApp = (app: Express) => {
  const listener = (req: IncomingMessage, res: ServerResponse): void => app(req, complete(res));
  const request = (req: IncomingMessage, { url }: { readonly url: string }) => Object.assign(req, { url });
  const answer = serverlessHttp(listener, { binary: isBinary, request });
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const { headers, path, query } = requestOf(event);
    const { httpMethod, body, isBase64Encoded, requestContext } = event;
    const url = query === '' ? path : `${path}?${query}`;
    const given = { httpMethod, url, headers, body, isBase64Encoded, requestContext };
    return withinLimit((await answer(given, context)) as APIGatewayProxyResult);
  };
};
