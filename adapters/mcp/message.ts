import type { JsonBodies } from '../host/json-bodies.ts';
import { refusalBody, refusalStatus } from '../host/refusal-body.ts';
import { type Reply, refusalReply } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';
import type { Caller } from '../pipeline/caller.ts';
import { RPC, rpcError } from './json-rpc.ts';

/** The deepest nesting of a message. The arguments of tools need a quarter of it. */
const MAX_LEVELS = 32;

const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));

/** A parsed message with its size in bytes, or the reply to a body that is none. */
export type ReadMessage = { readonly message: unknown; readonly bytes: number } | { readonly reply: Reply };

const invalid = (message: string): ReadMessage => ({ reply: rpcError(400, RPC.invalidRequest, message) });

/** The bytes of a message. A compressed body, or one of unknown length, counts as long as its JSON. */
const bytesOf = ({ length, headers }: HostRequest, message: unknown): number =>
  length !== undefined && headers['content-encoding'] === undefined
    ? length
    : Buffer.byteLength(JSON.stringify(message));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The message with its `jsonrpc`, which may be left out, and without parameters and arguments that are null, because
 * programs write them so.
 */
const completed = (message: unknown): unknown => {
  if (!isObject(message)) return message;
  const { params, ...others } = message;
  const rest = { ...others, jsonrpc: others['jsonrpc'] ?? '2.0' };
  if (params === null || params === undefined) return rest;
  if (!isObject(params) || params['arguments'] !== null) return { ...rest, params };
  const { arguments: _, ...named } = params;
  return { ...rest, params: named };
};

/** Reads the one JSON value of a request, of at most `limit` bytes after decompression. */
export const readMessage = async (
  bodies: JsonBodies,
  request: HostRequest,
  limit: number,
  caller: Caller,
): Promise<ReadMessage> => {
  const read = await bodies.read(request, limit, 'application/json', caller);
  if (!read.ok) {
    if (read.code === 'unavailable') return { reply: refusalReply(read) };
    const code = read.code === 'malformed_body' ? RPC.parseError : RPC.invalidRequest;
    return { reply: rpcError(refusalStatus(read.code), code, String(refusalBody(read)['message'])) };
  }
  const message = read.value;
  if (Array.isArray(message)) return invalid('Send one message for each request; batches are not accepted.');
  if (!isShallow(message, MAX_LEVELS)) return invalid(`A message may be nested ${MAX_LEVELS} levels deep at most.`);
  return { message: completed(message), bytes: bytesOf(request, message) };
};
