import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { refuse } from '../../domain/shared/outcome.ts';
import { frameHeaders, type HostFunction } from '../host/host.ts';
import { isStreamed, type Reply, refusalReply } from '../host/reply.ts';
import { type HostRequest, legacyHeaders } from '../host/request.ts';
import { ANSWER_OVER_LIMIT, LAMBDA_PAYLOAD_BYTES, LEGACY_VARIABLE } from './deployment.ts';

const NOTHING = new Uint8Array();

const sizeOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): number =>
  Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

/** The bytes of a body. The APIs treat every type as binary, so a body arrives as base64. */
const bodyOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Uint8Array =>
  body === null ? NOTHING : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/**
 * The headers of an event by lower-case name, with repeated headers joined (RFC 9110, section 5.3; RFC 6265, section
 * 5.4).
 */
const joinedHeaders = (event: APIGatewayProxyEvent): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const [header, values = []] of Object.entries(event.multiValueHeaders ?? {})) {
    const name = header.toLowerCase();
    // The gateway has joined the chunks.
    if (name !== 'transfer-encoding') headers[name] = values.join(name === 'cookie' ? '; ' : ', ');
  }
  headers['content-length'] ??= String(sizeOf(event));
  return headers;
};

/** U+FFFD in a query, which the gateway substitutes for invalid bytes, and a byte that is not UTF-8. */
const [MENDED, NO_TEXT] = ['%EF%BF%BD', '%FF'];

/**
 * Re-encodes the query, which the gateway decodes. Substituted characters are encoded as a byte that is not UTF-8, so
 * that the host refuses them.
 */
const queryOf = ({ multiValueQueryStringParameters: values }: APIGatewayProxyEvent): string => {
  if (values == null) return '';
  const pairs = Object.entries(values).flatMap(([name, all = []]) =>
    all.map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs).toString().replaceAll(MENDED, NO_TEXT);
};

/**
 * Converts an event of API Gateway to a host's request. A request through the legacy host's API keeps only the headers
 * that this host forwards. The client's address is the one that the gateway reports, whatever the headers say.
 */
export const requestOf = (event: APIGatewayProxyEvent): HostRequest => {
  const headers = joinedHeaders(event);
  return {
    method: event.httpMethod,
    path: event.path,
    query: queryOf(event),
    headers: event.stageVariables?.[LEGACY_VARIABLE] === undefined ? headers : legacyHeaders(headers),
    address: () => event.requestContext.identity.sourceIp,
    length: sizeOf(event),
    body: () => bodyOf(event),
  };
};

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/;

/** True if a body must be sent as base64, because bytes that are not text do not survive in a JSON string. */
export const isBinary = (headers: Readonly<Record<string, string>>): boolean =>
  headers['content-encoding'] !== undefined || !TEXT.test(headers['content-type'] ?? 'text/plain');

/** Converts a reply to a buffered result of API Gateway. */
const resultOf = async ({ status, headers, body }: Reply): Promise<APIGatewayProxyResult> => {
  const sent = { statusCode: status, headers: { ...headers } };
  if (body === null) return { ...sent, body: '' };
  if (typeof body === 'string' && !isBinary(headers)) return { ...sent, body };
  const whole = isStreamed(body) ? await buffer(body.stream) : body;
  return { ...sent, body: Buffer.from(whole).toString('base64'), isBase64Encoded: true };
};

/**
 * The answer, or 413 instead of one that Lambda would drop, because the client would get an error without a reason. A
 * character takes at most six bytes of JSON, so only answers that could be too large are measured.
 */
export const withinLimit = (result: APIGatewayProxyResult): APIGatewayProxyResult => {
  if (result.body.length * 6 <= LAMBDA_PAYLOAD_BYTES - 64 * 1024) return result;
  if (Buffer.byteLength(JSON.stringify(result)) <= LAMBDA_PAYLOAD_BYTES) return result;
  const { status, headers, body } = refusalReply(refuse('body_too_large', { message: ANSWER_OVER_LIMIT }));
  const id = String(result.headers?.['x-request-id'] ?? '');
  return { statusCode: status, headers: { ...frameHeaders(id), ...headers }, body: String(body) };
};

/** Serves a host as a function that answers an API Gateway event in one piece of up to 6 MB. */
export const buffered =
  (host: HostFunction): ((event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>) =>
  async (event) =>
    withinLimit(await resultOf(await host.handle(requestOf(event))));

/**
 * Serves a host as a function whose answer is streamed, in constant memory and up to 200 MB, through a REST API with
 * the transfer mode STREAM. A failing source rejects, so the gateway closes the connection and no partial file looks
 * complete. The end of a stream is reported before the call ends, because the instance is frozen then.
 */
export const streamed = (host: HostFunction) =>
  awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, to) => {
    const { status, headers, body, ended } = await host.handle(requestOf(event));
    const response = awslambda.HttpResponseStream.from(to, { statusCode: status, headers });
    try {
      // Needed even if the body is empty: the runtime sends the head with the first write, and never without one.
      response.write('');
      if (isStreamed(body)) await pipeline(body.stream, response);
      else await pipeline(Readable.from(body === null ? [] : [body]), response);
    } finally {
      await ended?.();
    }
  });
