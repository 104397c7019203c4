import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { get } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChildServer } from './child.ts';
import { BIG } from './store.ts';

export const GIBIBYTE = 1024 ** 3;
const CHUNK = 1024 ** 2;

/** Writes a file of one gibibyte that compresses badly, and returns its SHA-256. */
export const makeBigFile = async (file: string): Promise<string> => {
  const chunk = randomBytes(CHUNK);
  const sum = createHash('sha256');
  await pipeline(function* () {
    for (let n = 0; n < GIBIBYTE / CHUNK; n++) {
      chunk.writeUInt32LE(n);
      yield Buffer.from(chunk);
    }
  }, createWriteStream(file));
  for await (const part of createReadStream(file)) sum.update(part);
  return sum.digest('hex');
};

export type Fetched = { readonly mebibytesPerSecond: number; readonly addedMebibytes: number };

/** Fetches the whole file and measures the speed and the memory growth of the server. */
export const fetchFile = async (
  server: ChildServer,
  path: string,
  headers: Record<string, string>,
): Promise<Fetched> => {
  const before = (await server.read()).rssBytes;
  let highest = before;
  let done = false;
  const watch = (async () => {
    while (!done) {
      highest = Math.max(highest, (await server.read()).rssBytes);
      await wait(50);
    }
  })();
  const started = performance.now();
  const bytes = await new Promise<number>((resolve, reject) => {
    get({ host: '127.0.0.1', port: server.port, path, headers }, (response) => {
      let count = 0;
      response.on('data', (part: Buffer) => {
        count += part.length;
      });
      response.once('error', reject);
      response.once('end', () => resolve(count));
    }).once('error', reject);
  });
  const seconds = (performance.now() - started) / 1000;
  done = true;
  await watch;
  if (bytes !== GIBIBYTE) throw new Error(`The download ended after ${bytes} bytes.`);
  return { mebibytesPerSecond: bytes / CHUNK / seconds, addedMebibytes: (highest - before) / CHUNK };
};

/** The signed path of the big file, from an install plan. */
export const signedPath = async (server: ChildServer<{ key: string }>): Promise<string> => {
  const plan = await fetch(`http://127.0.0.1:${server.port}/api/products/${BIG}/install`, {
    headers: { Authorization: `Bearer ${server.more.key}` },
  });
  const { data } = (await plan.json()) as { data: { download_url: string } };
  const url = new URL(data.download_url);
  return url.pathname + url.search;
};
