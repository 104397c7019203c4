import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { checkedReply, type Reply } from './client.ts';
import type { Mount } from './mount.ts';

export type RawRequest = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent one after the other; chunked unless the headers give a length. */
  readonly chunks?: readonly (string | Buffer)[];
  /** Never says that it ends, so that only what needs no more of it is answered. */
  readonly unfinished?: boolean;
};

/** A request just as it is written, where fetch would tidy up its path and headers. */
export const sendRaw = async (mount: Mount, wish: RawRequest): Promise<Reply> => {
  const { method = 'GET', path, headers = {}, chunks = [], unfinished = false } = wish;
  const { hostname, port } = new URL(mount.urls.api);
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
