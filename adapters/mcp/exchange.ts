import { createMcpHandler, type JSONRPCMessage, type Server, type Transport } from '@modelcontextprotocol/server';
import { jsonReply, NO_STORE, type Reply, wholeReply } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';

/** The transport of one message and its one reply. */
class OneMessage implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  readonly #reply = Promise.withResolvers<JSONRPCMessage>();

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    // A notification beside the reply has nowhere to go: a request gets one JSON document.
    if (!('method' in message)) this.#reply.resolve(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  exchange(message: JSONRPCMessage): Promise<JSONRPCMessage> {
    this.onmessage?.(message);
    return this.#reply.promise;
  }
}

/** Gives a request of the revisions up to 2025-11-25 to the server, and returns its reply. */
export const exchange2025 = async (server: Server, message: JSONRPCMessage): Promise<Reply> => {
  const transport = new OneMessage();
  await server.connect(transport);
  try {
    return jsonReply(200, await transport.exchange(message), { 'cache-control': NO_STORE });
  } finally {
    await server.close();
  }
};

/** The headers that revision 2026-07-28 compares with the message. */
const COMPARED = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** Gives a request of revision 2026-07-28 to the server, and returns its reply. */
export const exchange2026 = async (server: Server, message: unknown, request: HostRequest): Promise<Reply> => {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of COMPARED) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  const handler = createMcpHandler(() => server, { legacy: 'reject' });
  const response = await handler.fetch(new Request('http://mcp/', { method: 'POST', headers }), {
    parsedBody: message,
  });
  const text = await response.text();
  if (text === '') return { status: response.status, headers: { 'content-length': '0' }, body: null };
  return wholeReply(response.status, 'application/json; charset=utf-8', text, { 'cache-control': NO_STORE });
};
