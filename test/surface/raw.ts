import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Host } from '../../ports/inbound/hosts.ts';
import { checkedReply, hostOf, type Reply } from './client.ts';
import type { Mount } from './mount.ts';

/** The path that the service sees: the sent one, or its normal form if the runtime normalizes it. */
export const pathSeen = (mount: Mount, path: string): string => {
  if (!mount.normalizesPaths) return path;
  const { pathname, search } = new URL(mount.urls.api + path);
  return pathname + search;
};

export type RawRequest = {
  readonly method?: string;
  readonly path: string;
  /** The host to which it is sent, if it is not the one that serves the path. */
  readonly host?: Host;
  readonly headers?: Readonly<Record<string, string>>;
  /** The parts of the body, sent in order. The transfer is chunked unless the headers have a length. */
  readonly chunks?: readonly (string | Buffer)[];
  /** True for a request that never ends, so that only an early response arrives. */
  readonly unfinished?: boolean;
};

/** Sends a request exactly as written, to the host that serves its path. `fetch` would normalize its path and headers. */
export const sendRaw = async (mount: Mount, input: RawRequest): Promise<Reply> => {
  const { method = 'GET', path, host = hostOf(path), headers = {}, chunks = [], unfinished = false } = input;
  const { hostname, port } = new URL(mount.urls[host]);
  const req = request({ hostname, port, method, path, headers, agent: false });
  const answered = once(req, 'response') as Promise<[IncomingMessage]>;
  for (const chunk of chunks) req.write(chunk);
  if (!unfinished) req.end();
  const [res] = await answered;
  const read = new Headers();
  for (const [name, values = []] of Object.entries(res.headersDistinct)) {
    for (const value of values) read.append(name, value);
  }
  const text = Buffer.concat(await Array.fromAsync(res)).toString();
  if (unfinished) req.destroy();
  return checkedReply({ method, path }, { status: res.statusCode as number, headers: read, text });
};
