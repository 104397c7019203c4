import { Readable } from 'node:stream';
import type { ByteSource } from './reply.ts';

/**
 * The source, checked against the length that the client was told. More or fewer bytes are a fault and break the
 * connection off: the client would otherwise take a part for the whole, or the surplus for the next reply. `fault` gets
 * such faults and those of the source; a client that goes away is no fault. `ended` is called once, at every end.
 */
export const watched = (
  { length, stream }: ByteSource,
  ended: () => void,
  fault: (error: unknown) => void,
): ByteSource => {
  // A failure after the reader has gone harms nobody.
  const told = (error: unknown): void => void (bytes.destroyed || fault(error));
  const bytes = Readable.from(exactly(length, stream, told), { objectMode: false });
  const end = bytes._destroy;
  bytes._destroy = (error, done) => {
    // The generator would wait for a source that was never read, or that gives nothing just now.
    stream.destroy();
    end.call(bytes, error, done);
  };
  // Until the first read nobody else listens; from then on the generator tells of the failure.
  stream.on('error', () => {});
  return { length, stream: bytes.once('close', ended) };
};

async function* exactly(length: number, stream: Readable, told: (error: unknown) => void): AsyncGenerator<Buffer> {
  let sent = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sent += chunk.length;
      if (sent > length) throw new Error(`An object gave more than the ${length} bytes to send.`);
      yield chunk;
    }
    if (sent !== length) throw new Error(`An object gave ${sent} of the ${length} bytes to send.`);
  } catch (error) {
    told(error);
    throw error;
  }
}
