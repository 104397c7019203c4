import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyHandler, APIGatewayProxyResult } from 'aws-lambda';
import serverlessHttp from 'serverless-http';
import { takeWholeAnswers } from '../../adapters/http/whole-answer.ts';
import { ANSWER_OVER_LIMIT, LAMBDA_PAYLOAD_BYTES } from '../../ports/inbound/lambda-limits.ts';
import { readable } from './event.ts';

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/;

/** Whether an answer has to be sent as base64, for bytes that are no text don't survive as a JSON string. */
const isBinary = (headers: Readonly<Record<string, string>>): boolean =>
  headers['content-encoding'] !== undefined || !TEXT.test(headers['content-type'] ?? 'text/plain');

/** A character of a body takes at most six bytes of JSON: only an answer that could be too large is measured. */
const isOverLimit = (result: APIGatewayProxyResult): boolean =>
  result.body.length * 6 > LAMBDA_PAYLOAD_BYTES - 64 * 1024 &&
  Buffer.byteLength(JSON.stringify(result)) > LAMBDA_PAYLOAD_BYTES;

/** 413 in place of an answer that Lambda would drop, for a client would see a fault without a reason. */
const withinLimit = (result: APIGatewayProxyResult): APIGatewayProxyResult => {
  if (!isOverLimit(result)) return result;
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': String(result.headers?.['x-request-id'] ?? ''),
  };
  return { statusCode: 413, headers, body: JSON.stringify({ message: ANSWER_OVER_LIMIT }) };
};

type Asked = ReturnType<typeof readable> & { whole?: APIGatewayProxyResult };

/** A request as serverless-http makes it, with the event that it was made of. */
type FunctionRequest = IncomingMessage & { readonly apiGateway: { readonly event: Asked } };

/**
 * Keeps what the app answers in one piece with the event, in place of having it written as an HTTP message and parsed
 * again, which was an eighth of the CPU of a license check.
 */
const takingWhole =
  (app: RequestListener) =>
  (req: FunctionRequest, res: ServerResponse): void => {
    takeWholeAnswers(res, (statusCode, headers, body) => {
      req.apiGateway.event.whole = { statusCode, headers, body };
      res.statusCode = statusCode;
      // What Node's own end would leave behind, at a fraction of its cost: `headersSent` reads the one, and whoever ends
      // the response, serverless-http among them, the other.
      Object.assign(res, { _header: 'taken whole', finished: true });
      res.emit('finish');
    });
    app(req, res);
  };

/**
 * The app as a function that answers in one piece of up to 6 MB. The client's address is the one that the gateway names
 * in the event, whatever headers the client sent.
 */
export const buffered = (app: RequestListener): APIGatewayProxyHandler => {
  const answer = serverlessHttp(takingWhole(app), { binary: isBinary });
  return async (event: APIGatewayProxyEvent, context) => {
    const asked: Asked = readable(event);
    const written = (await answer(asked, context)) as APIGatewayProxyResult;
    return withinLimit(asked.whole ?? written);
  };
};
