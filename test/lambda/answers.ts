import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FunctionAnswer } from './runtime-api.ts';

const DELIMITER = Buffer.alloc(8);

type Head = {
  readonly statusCode?: number;
  readonly headers?: Record<string, string | number | boolean>;
  readonly multiValueHeaders?: Record<string, (string | number | boolean)[]>;
};

const headersOf = ({ headers = {}, multiValueHeaders = {} }: Head): OutgoingHttpHeaders => ({
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
  ...Object.fromEntries(
    Object.entries(multiValueHeaders).map(([name, values]) => [name.toLowerCase(), values.map(String)]),
  ),
});

/** Sends the gateway's own response, in the format that the stacks configure. */
export const gatewayAnswer = (res: ServerResponse, status: number, message: string, requestId: string): void => {
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  });
  res.end(JSON.stringify({ message }));
};

const sendResult = (res: ServerResponse, json: string): void => {
  const result = JSON.parse(json) as Head & { body?: string; isBase64Encoded?: boolean };
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  const headers = headersOf(result);
  const bodiless = res.req.method === 'HEAD' || result.statusCode === 304 || result.statusCode === 204;
  if (!bodiless) headers['content-length'] = String(body.length);
  res.writeHead(result.statusCode ?? 502, headers);
  res.end(bodiless ? undefined : body);
};

/** Forwards the bytes as they arrive. Breaks the connection if the function reports a failure. */
const sendStream = async (res: ServerResponse, body: IncomingMessage): Promise<void> => {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    let rest = chunk;
    if (head) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(DELIMITER);
      if (end === -1) continue;
      const prelude = JSON.parse(head.toString('utf8', 0, end)) as Head;
      res.writeHead(prelude.statusCode ?? 200, headersOf(prelude));
      rest = head.subarray(end + DELIMITER.length);
      head = undefined;
    }
    if (rest.length > 0 && !res.destroyed && !res.write(rest))
      await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
  if (head || body.trailers['lambda-runtime-function-error-type'] !== undefined) {
    if (res.headersSent) res.destroy();
    else throw new Error('The stream has no head.');
    return;
  }
  res.end();
};

/** Sends a function's response to the client. */
export const sendAnswer = async (
  res: ServerResponse,
  answer: Exclude<FunctionAnswer, { readonly kind: 'error' }>,
): Promise<void> => {
  if (answer.kind === 'result') sendResult(res, answer.json);
  else await sendStream(res, answer.body);
};
