import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ChecksumMismatch } from '../../ports/outbound/object-store.ts';
import type { StoreFiles } from '../../ports/outbound/store-document.ts';

/** An operator's files in memory: their texts by path. */
export const memoryFiles = (texts: Readonly<Record<string, string>> = {}): StoreFiles => {
  const bytesOf = (path: string) => (Object.hasOwn(texts, path) ? Buffer.from(texts[path] ?? '') : undefined);
  const there = (path: string): Buffer => {
    const bytes = bytesOf(path);
    if (!bytes) throw new Error(`There is no file ${path}.`);
    return bytes;
  };
  return {
    size: async (path) => bytesOf(path)?.length,
    facts: async (path, read) => {
      const bytes = bytesOf(path);
      if (!bytes) return undefined;
      read?.(bytes.length);
      const sums = { sha1: hash('sha1', bytes), sha512: hash('sha512', bytes, 'base64') };
      return { size: bytes.length, sha256: hash('sha256', bytes), sums, content_type: 'application/octet-stream' };
    },
    open: async (path, read) => {
      const bytes = there(path);
      read?.(bytes.length);
      return Readable.from([bytes]);
    },
    read: async (path, sha256) => {
      const bytes = there(path);
      if (hash('sha256', bytes) !== sha256) throw new ChecksumMismatch(`${path} has changed.`);
      return bytes;
    },
    list: async (folder) => {
      const inside = Object.keys(texts).filter((path) => path.startsWith(`${folder}/`));
      return inside.length > 0 ? inside.map((path) => path.slice(folder.length + 1)).sort() : undefined;
    },
  };
};
