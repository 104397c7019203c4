import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Express } from 'express';
import serverlessHttp from 'serverless-http';
import { peerAddress } from '../host/peer-address.ts';
import { isBinary, requestOf, withinLimit } from './host-function.ts';

/** The client's address: serverless-http replaces the socket's address with the gateway's. */
export const gatewayAddress = ({ socket }: IncomingMessage): string => peerAddress(socket.remoteAddress ?? '') ?? '';

/**
 * Works around two faults of serverless-http. Express replaces the package's prototype, so Node keeps headers passed to
 * `writeHead` only if another header was set before. A destroyed response must fail the call, which would otherwise
 * wait for its end.
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
 * Serves an Express app as a function that answers in one piece of up to 6 MB. It restores the headers and the target
 * that a host gets, because serverless-http keeps only the last of repeated headers and fails if a query is not
 * Unicode.
 */
export const expressApp = (app: Express) => {
  const listener = (req: IncomingMessage, res: ServerResponse): void => app(req, complete(res));
  const request = (req: IncomingMessage, { url }: { readonly url: string }) => Object.assign(req, { url });
  const answer = serverlessHttp(listener, { binary: isBinary, request });
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const { headers, path, query } = requestOf(event);
    const { httpMethod, body, isBase64Encoded, requestContext } = event;
    const url = query === '' ? path : `${path}?${query}`;
    const rebuilt = { httpMethod, url, headers, body, isBase64Encoded, requestContext };
    return withinLimit((await answer(rebuilt, context)) as APIGatewayProxyResult);
  };
};
