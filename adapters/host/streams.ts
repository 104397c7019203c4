import { pipeline, Transform } from 'node:stream';
import type { LimitStreams } from '../../application/access/limit-rate.ts';
import type { Owner } from '../../domain/access/rate-limit.ts';
import { STREAM_RETRY_SECONDS } from '../../domain/access/rate-limit.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import { type ByteSource, isStreamed, type Reply, refusalReply } from './reply.ts';
import { type HostRequest, localeOf } from './request.ts';

/**
 * The source, checked against the length that the client was told. A wrong number of bytes is a fault and closes the
 * connection: the client would otherwise take a part for the whole, or the surplus for the next reply. `fault` receives
 * such faults and those of the source; a client that disconnects is not a fault. `ended` is called exactly once.
 */
export const watched = (
  { length, stream: source }: ByteSource,
  ended: () => void,
  fault: (error: unknown) => void,
): ByteSource => {
  let sent = 0;
  const failed = (error: Error): Error => {
    fault(error);
    return error;
  };
  const short = () => failed(new Error(`An object gave ${sent} of the ${length} bytes to send.`));
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      if (sent > length) done(failed(new Error(`An object gave more than the ${length} bytes to send.`)));
      else done(null, chunk);
    },
    flush: (done) => done(sent === length ? null : short()),
  }).once('close', ended);
  // A failure after the reader has left doesn't matter.
  const closed = (): void => {
    if (!source.readableEnded && !stream.destroyed) stream.destroy(short());
  };
  source.once('close', closed).on('error', (error) => {
    if (!stream.destroyed) stream.destroy(failed(error));
  });
  if (source.destroyed) closed();
  pipeline(source, stream, () => {});
  return { length, stream };
};

/** Passes a reply on or replaces it. The reply has `ended` if its stream was counted. */
export type BoundReply = (reply: Reply, request: Receiver) => Promise<Reply>;

type Receiver = Pick<HostRequest, 'address' | 'headers'>;

/** The size of a body that fits in the buffers between a function and the gateway, and so keeps no instance busy. */
const BUFFERED_BYTES = 64 * 1024;

const TOO_MANY = refuse('rate_limited', {
  message: 'Too many files at once; wait until one has arrived.',
  ko: '한 번에 받는 파일이 너무 많습니다. 받고 있는 파일이 끝난 뒤 다시 시도해 주세요.',
});

const refusal = ({ headers }: Receiver): Reply => {
  const reply = refusalReply(TOO_MANY, undefined, localeOf(headers['accept-language']));
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(STREAM_RETRY_SECONDS) } };
};

/** The account that sent the request, or else its address. */
const ownerIn = ({ answered }: Reply, { address }: Receiver): Owner => {
  const id = answered?.accountId ?? null;
  return id === null ? { kind: 'address', address: address() } : { kind: 'account', id };
};

/** Guards the streams of each caller. A refused stream is closed unread. */
export const boundStreams = (limit: LimitStreams): BoundReply => {
  const counted = async (reply: Reply, { stream }: ByteSource, request: Receiver): Promise<Reply> => {
    const ended = await limit(ownerIn(reply, request)).catch((fault: unknown) => {
      stream.destroy();
      throw fault;
    });
    if (ended) return { ...reply, ended };
    stream.destroy();
    const { answered } = reply;
    return { ...refusal(request), ...(answered && { answered: { ...answered, code: 'rate_limited' } }) };
  };
  return async (reply, request) => {
    const { body } = reply;
    return isStreamed(body) && body.length > BUFFERED_BYTES ? counted(reply, body, request) : reply;
  };
};
