import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { isStreamed, type Reply } from '../host/reply.ts';

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/;

/** Whether a body has to be sent as base64: bytes that are no text do not survive as a JSON string. */
export const isBinary = (headers: Readonly<Record<string, string>>): boolean =>
  headers['content-encoding'] !== undefined || !TEXT.test(headers['content-type'] ?? 'text/plain');

/** A reply as API Gateway takes it in one piece. */
export const resultOf = async ({ status, headers, body }: Reply): Promise<APIGatewayProxyResult> => {
  const sent = { statusCode: status, headers: { ...headers } };
  if (body === null) return { ...sent, body: '' };
  if (typeof body === 'string' && !isBinary(headers)) return { ...sent, body };
  const whole = isStreamed(body) ? await buffer(body.stream) : body;
  return { ...sent, body: Buffer.from(whole).toString('base64'), isBase64Encoded: true };
};
