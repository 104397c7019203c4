import { bytesOf } from '../host/body-bytes.ts';
import { refusalBody, refusalStatus } from '../host/refusal-body.ts';
import type { Reply } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';
import { RPC, rpcError } from './json-rpc.ts';

/** The deepest nesting of a message. Arguments of tools need a quarter of it. */
const MAX_LEVELS = 32;

const JSON_TYPE = /^application\/json *(?:;|$)/i;

const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));

/** A parsed message with its size in bytes, or the reply to a body that is none. */
export type ReadMessage = { readonly message: unknown; readonly bytes: number } | { readonly reply: Reply };

const refused = (status: number, message: string, code: number = RPC.invalidRequest): ReadMessage => ({
  reply: rpcError(status, code, message),
});

/** Reads the one JSON value of a request, of at most `limit` bytes after decompression. */
export const readMessage = async (request: HostRequest, limit: number): Promise<ReadMessage> => {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    return refused(415, 'Send the message as application/json.');
  const read = await bytesOf(request, limit);
  if (!read.ok) return refused(refusalStatus(read.code), String(refusalBody(read)['message']));
  let message: unknown;
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(read.value));
  } catch {
    return refused(400, 'The body is not valid JSON.', RPC.parseError);
  }
  if (Array.isArray(message)) return refused(400, 'Send one message for each request; batches are not accepted.');
  if (!isShallow(message, MAX_LEVELS))
    return refused(400, `A message may be nested ${MAX_LEVELS} levels deep at most.`);
  return { message, bytes: read.value.length };
};
