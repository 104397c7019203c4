import type { APIGatewayProxyEvent } from 'aws-lambda';
import { legacyHeaders } from '../host/legacy.ts';
import type { HostRequest } from '../host/request.ts';
import { LEGACY_VARIABLE } from './legacy-variable.ts';

/**
 * An event of payload format 1.0, of a REST API or of an HTTP API. An HTTP API names the version. It hands over the
 * path decoded, and a body of text as text; a REST API hands over the path as the client wrote it, and every body in
 * base64.
 */
export type GatewayEvent = APIGatewayProxyEvent & { readonly version?: string };

const NOTHING = new Uint8Array();

const isOfHttpApi = ({ version }: GatewayEvent): boolean => version === '1.0';

/**
 * The path of an event, percent-encoded. A slash that a client encoded is one between parts where the path came
 * decoded, because nobody can tell them apart any more.
 */
export const pathOf = (event: GatewayEvent): string =>
  isOfHttpApi(event) ? encodeURI(event.path.toWellFormed()).replace(/[?#]/g, encodeURIComponent) : event.path;

const sizeOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): number =>
  Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

/**
 * True where the gateway put U+FFFD for bytes that are no text. The text is then of another length than the client
 * gave.
 */
const isMended = (event: GatewayEvent, given: string | undefined): boolean =>
  isOfHttpApi(event) &&
  !event.isBase64Encoded &&
  event.body?.includes('\uFFFD') === true &&
  given !== undefined &&
  Number(given) !== sizeOf(event);

/** The bytes of a body. Where the gateway has mended them, U+FFFD is a byte that is no UTF-8, so that the host refuses it. */
const bytesOf = (event: GatewayEvent, length: string | undefined): Uint8Array => {
  const { body, isBase64Encoded } = event;
  if (body === null) return NOTHING;
  if (isMended(event, length)) return Buffer.from(body, 'latin1');
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
};

/**
 * The content coding of a body that still can be undone. A packed body that was handed over as text has lost the bytes
 * that are no text, so that its coding is one that no host knows: the client is told to send it as it is.
 */
const codingOf = (event: GatewayEvent, coding: string): string =>
  isOfHttpApi(event) && event.body && !event.isBase64Encoded && !/^(?:identity)?$/i.test(coding)
    ? `${coding} at this address`
    : coding;

/** The headers of an event by lower-case name, lines of the same one joined (RFC 9110, section 5.3; RFC 6265, section 5.4). */
export const joinedHeaders = (event: GatewayEvent): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const [given, values = []] of Object.entries(event.multiValueHeaders ?? {})) {
    const name = given.toLowerCase();
    // The gateway has put the chunks together.
    if (name !== 'transfer-encoding') headers[name] = values.join(name === 'cookie' ? '; ' : ', ');
  }
  headers['content-length'] ??= String(sizeOf(event));
  const coding = headers['content-encoding'];
  if (coding !== undefined) headers['content-encoding'] = codingOf(event, coding);
  return headers;
};

/** U+FFFD in a query, which the gateway puts for bytes that are no text, and a byte that is no UTF-8. */
const [MENDED, NO_TEXT] = ['%EF%BF%BD', '%FF'];

/**
 * The gateway decodes a query; it is encoded again. What the gateway has mended is encoded as a byte that is no UTF-8,
 * so that the host refuses it.
 */
const queryOf = ({ multiValueQueryStringParameters: values }: APIGatewayProxyEvent): string => {
  if (values == null) return '';
  const pairs = Object.entries(values).flatMap(([name, all = []]) =>
    all.map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs).toString().replaceAll(MENDED, NO_TEXT);
};

/**
 * An event of API Gateway as a host takes it. A request that came by the legacy host's API has only the
 * headers that this host passes on. The client's address is the one that the gateway names, whatever headers it sent.
 */
export const requestOf = (event: GatewayEvent): HostRequest => {
  const headers = joinedHeaders(event);
  return {
    method: event.httpMethod,
    path: pathOf(event),
    query: queryOf(event),
    headers: event.stageVariables?.[LEGACY_VARIABLE] === undefined ? headers : legacyHeaders(headers),
    address: () => event.requestContext.identity.sourceIp,
    length: sizeOf(event),
    body: () => bytesOf(event, headers['content-length']),
  };
};
