import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/* A folder as one gzip file: a line of JSON with the path and the size of each file, followed by their bytes. */

type Entry = readonly [path: string, size: number];

export const pack = (folder: string): Buffer => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
  const bytes = files.map((path) => readFileSync(join(folder, path)));
  const entries = files.map((path, n): Entry => [path, bytes[n]?.length ?? 0]);
  return gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...bytes]), { level: 9 });
};

export const unpack = (packed: Buffer, folder: string): void => {
  const whole = gunzipSync(packed);
  let at = whole.indexOf('\n') + 1;
  for (const [path, size] of JSON.parse(whole.toString('utf8', 0, at)) as Entry[]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), whole.subarray(at, at + size), { mode: 0o600 });
    at += size;
  }
};
