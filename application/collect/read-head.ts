import type { ReceivedFile } from '../shared/files.ts';

/** Bytes in which the dimensions of an image are found, however long the profile or preview before them is. */
const HEAD_BYTES = 1024 * 1024;

/** The first bytes of a file, at most a mebibyte. */
export const readHead = async (file: ReceivedFile): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The loop destroys the stream where it ends before the file does.
  for await (const chunk of file.open() as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= HEAD_BYTES) break;
  }
  const head = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    head.set(chunk, at);
    at += chunk.byteLength;
  }
  return head.subarray(0, HEAD_BYTES);
};
