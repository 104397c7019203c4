/** The request was not made, or its answer was not taken. The message says why and names no address. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
}

/** The bytes of a body. Throws FetchRefused for more than `most`. */
export const readAtMost = async (body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new FetchRefused(`The answer has more than ${most} bytes.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
};
