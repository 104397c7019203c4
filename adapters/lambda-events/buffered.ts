import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Host } from '../host/host.ts';
import { jsonReply, NO_STORE, type Reply } from '../host/reply.ts';
import { ANSWER_OVER_LIMIT, LAMBDA_PAYLOAD_BYTES } from './limits.ts';
import { requestOf } from './request.ts';
import { resultOf } from './result.ts';

/** A character of a body takes at most six bytes of JSON: only an answer that could be too large is measured. */
const isOverLimit = (result: APIGatewayProxyResult): boolean =>
  result.body.length * 6 > LAMBDA_PAYLOAD_BYTES - 64 * 1024 &&
  Buffer.byteLength(JSON.stringify(result)) > LAMBDA_PAYLOAD_BYTES;

/** 413 in place of an answer that Lambda would drop, because a client would see a fault without a reason. */
const overLimit = async ({ headers }: Reply): Promise<APIGatewayProxyResult> =>
  resultOf(
    jsonReply(
      413,
      { message: ANSWER_OVER_LIMIT },
      {
        'cache-control': NO_STORE,
        'x-content-type-options': 'nosniff',
        'x-request-id': headers['x-request-id'] ?? '',
      },
    ),
  );

/** Serves a host as a function that answers an event of API Gateway in one piece of up to 6 MB. */
export const buffered =
  (host: Host): ((event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>) =>
  async (event) => {
    const reply = await host.handle(requestOf(event));
    const result = await resultOf(reply);
    return isOverLimit(result) ? overLimit(reply) : result;
  };
