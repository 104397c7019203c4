import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import { NO_STORE, type Reply, wholeReply } from '../host/reply.ts';
import type { HostHeaders } from '../host/request.ts';
import { RPC, rpcError } from './json-rpc.ts';
import { REVISION_2026, REVISIONS_2025, type ServerInfo } from './server.ts';
import type { FinishedCall } from './tool.ts';

/** A call of a tool whose message and headers are plainly right. */
export type DirectCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly id: string | number;
  readonly revision: '2025' | '2026';
};

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string';

/** True where the sender names itself as revision 2026-07-28 wants it, and the headers repeat the message. */
const isOf2026 = (meta: Json, name: string, headers: HostHeaders): boolean => {
  const [info, abilities] = [meta[CLIENT_INFO_META_KEY], meta[CLIENT_CAPABILITIES_META_KEY]];
  return (
    meta[PROTOCOL_VERSION_META_KEY] === REVISION_2026 &&
    headers['mcp-protocol-version'] === REVISION_2026 &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name &&
    isObject(abilities) &&
    Object.values(abilities).every(isObject) &&
    (info === undefined || (isObject(info) && isText(info['name']) && isText(info['version'])))
  );
};

/** True where neither the message nor the headers speak of a later revision. */
const isOf2025 = (meta: Json, headers: HostHeaders): boolean => {
  const version = headers['mcp-protocol-version'];
  return (
    (version === undefined || REVISIONS_2025.includes(version)) &&
    !Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'))
  );
};

/**
 * The call in a message that needs nothing else of the protocol; undefined for every other message. Such a call is
 * framed here, because a server and a transport for each message cost more than most tools do. Every message that is
 * not plainly right goes to the protocol's own implementation, which knows all of its errors.
 */
export const directCall = (message: unknown, headers: HostHeaders): DirectCall | undefined => {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || message['method'] !== 'tools/call') return undefined;
  const { id, params } = message;
  if (!(typeof id === 'string' || Number.isSafeInteger(id)) || !isObject(params)) return undefined;
  const { name, arguments: args = {}, _meta: meta = {}, ...more } = params;
  if (typeof name !== 'string' || !isObject(args) || !isObject(meta) || Object.keys(more).length > 0) return undefined;
  const call = { name, args, id: id as string | number };
  if (isOf2026(meta, name, headers)) return { ...call, revision: '2026' };
  return isOf2025(meta, headers) ? { ...call, revision: '2025' } : undefined;
};

/** The members that revision 2026-07-28 adds to a result, as JSON that others come before. */
const endOf2026 = (info: ServerInfo): string =>
  `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: info })}}`;

/** The reply to a call, as its revision frames a result. */
export const directReply = ({ id, revision }: DirectCall, called: FinishedCall, info: ServerInfo): Reply => {
  if ('reply' in called) return called.reply;
  if ('fault' in called) return rpcError(200, RPC.internalError, called.fault, id);
  const { result, json } = called;
  const start =
    json === undefined
      ? JSON.stringify(result).slice(0, -1)
      : `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}`;
  const end = revision === '2025' ? '}' : endOf2026(info);
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${start}${end}}`;
  return wholeReply(200, 'application/json; charset=utf-8', body, { 'cache-control': NO_STORE });
};
