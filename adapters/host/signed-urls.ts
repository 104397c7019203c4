import { Readable, Transform } from 'node:stream';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { countedAddress } from '../../domain/access/rate-limit.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { ChecksumMismatch, ObjectExists, type ObjectStore } from '../../ports/outbound/object-store.ts';
import { BODY_PACE, BodyPace, type Pace } from './body-pace.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import type { HostRoute } from './host.ts';
import { objectReply } from './object-reply.ts';
import { jsonReply, NO_STORE, type Reply, refusalReply } from './reply.ts';
import type { HostRequest } from './request.ts';

export type DownloadReader = {
  /** The first part of the URLs' paths, below the base URL. */
  readonly path: string;
  /** The file of a URL, given the part after `path`. */
  readonly read: (
    url: string,
  ) =>
    | { state: 'valid'; download: { key: string; filename: string; contentType: string } }
    | { state: 'expired' | 'invalid' };
};

const FORBIDDEN_DOWNLOAD = {
  expired:
    'This link has expired. Ask for a new install plan to get a file, or for the product again to get a picture.',
  invalid: 'This link is not valid. Use it exactly as the answer that contained it gave it, or ask for a new one.',
};

/**
 * The route of the download URLs that a store signs but does not serve itself. Only the signature counts: an
 * Authorization header changes nothing. An expired or invalid URL is answered 403.
 */
export const downloadsRoute = (store: Pick<ObjectStore, 'stat' | 'open'>, reader: DownloadReader): HostRoute => ({
  method: 'GET',
  path: `${reader.path}/{path}`,
  counts: 'bulk',
  entry: async (request) => {
    const url = request.path.slice(reader.path.length) + (request.query === '' ? '' : `?${request.query}`);
    const answer = reader.read(url);
    if (answer.state !== 'valid') {
      return jsonReply(403, { message: FORBIDDEN_DOWNLOAD[answer.state] }, { 'cache-control': NO_STORE });
    }
    const { key, filename, contentType } = answer.download;
    const info = await store.stat(key);
    if (!info) return refusalReply(refuse('not_found'));
    const object = { info, filename, contentType, disposition: 'attachment', cacheControl: NO_STORE } as const;
    return objectReply(request, object, async (range) => (await store.open(key, range))?.stream);
  },
});

export type Upload = {
  readonly key: string;
  readonly sha256: string;
  readonly size: number;
  readonly contentType: string;
};

export type UploadReader = {
  /** The first part of the URLs' paths, below the base URL. */
  readonly path: string;
  /** The upload that a URL allows, given the part after `path`. */
  readonly read: (url: string) => { state: 'valid'; upload: Upload } | { state: 'expired' | 'invalid' };
};

/** The maximum number of uploads that a process receives at once, in total and from one IP address. */
const UPLOADS_AT_ONCE = 32;
export const UPLOADS_OF_ADDRESS = 20;

const FORBIDDEN_UPLOAD = {
  expired: 'This upload link has expired. Upload the capture again to get another.',
  invalid: 'This upload link is not valid. Use its address and headers exactly as they were given.',
};

const forbidden = (state: 'expired' | 'invalid'): Reply =>
  jsonReply(403, { message: FORBIDDEN_UPLOAD[state] }, { 'cache-control': NO_STORE });

const stored = (status: 200 | 201, { sha256, size }: Upload): Reply =>
  jsonReply(status, { sha256, size }, { 'cache-control': NO_STORE });

const taken = (): Reply =>
  jsonReply(412, { message: 'Another file was already uploaded here.' }, { 'cache-control': NO_STORE });

const tooLarge = ({ size }: Upload): Refused<RefusalCode> =>
  refuse('body_too_large', { message: `The body is too large; this upload accepts exactly ${countOf(size, 'byte')}.` });

const otherBytes = ({ size, sha256 }: Upload): Refused<RefusalCode> => {
  const message = `These are not the bytes that the link is for: ${countOf(size, 'byte')} with the SHA-256 ${sha256}.`;
  return refuse('validation_failed', { message, data: { errors: { file: [message] } } });
};

/**
 * The body, which fails as soon as it is longer than `size`, or stalls. `refusal` says how the body failed; undefined
 * while it has not. The request's own stream stays open, so that the client can read the answer.
 */
const bounded = (content: Uint8Array | Readable, { size, ...upload }: Upload, pace: Pace) => {
  let refusal: Refused<RefusalCode> | undefined;
  let received = 0;
  const source = content instanceof Uint8Array ? Readable.from([content], { objectMode: false }) : content;
  const bytes = new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      received += piece.length;
      watch.took(piece.length);
      if (received > size) fail(tooLarge({ size, ...upload }));
      else done(null, piece);
    },
  });
  const fail = (refused: Refused<RefusalCode>): void => {
    refusal ??= refused;
    end();
    bytes.destroy(new Error('The body was refused.'));
  };
  const broken = (): void => {
    if (!source.readableEnded) fail(refuse('malformed_body', { message: BROKEN }));
  };
  const watch = new BodyPace(pace, () => fail(refuse('body_too_slow')));
  const end = (): void => {
    watch.end();
    source.unpipe(bytes).off('close', broken);
  };
  // The listeners for errors stay, because a stream may fail later and has no other listener.
  bytes.on('error', () => {});
  source.once('end', () => watch.end());
  source.on('close', broken).on('error', broken).pipe(bytes);
  if (source.destroyed) broken();
  return { bytes, refusal: () => refusal, end };
};

const BROKEN = 'The body is incomplete; send it again.';

const receive = async (
  store: Pick<ObjectStore, 'put'>,
  upload: Upload,
  request: HostRequest,
  pace: Pace,
): Promise<Reply> => {
  const body = bounded(request.body(), upload, pace);
  try {
    // The signature replaces the guards: the use case that signed the upload had a permit for this write.
    const { created } = await store.put(grantPermit(), upload.key, body.bytes, upload);
    return stored(created ? 201 : 200, upload);
  } catch (error) {
    const refused = body.refusal() ?? (error instanceof ChecksumMismatch ? otherBytes(upload) : undefined);
    if (refused) return refusalReply(refused);
    if (error instanceof ObjectExists) return taken();
    throw error;
  } finally {
    body.end();
  }
};

/**
 * The route of the upload URLs that a store signs but does not serve itself. Only the signature counts: an
 * Authorization header changes nothing. The answer is 403 for an expired or invalid URL, 413 for a body that is too
 * long, 422 for other bytes, and 408 for a body that stalls; none of them stores anything. A stored upload is answered
 * 201, and a repeated one 200, whatever its body.
 */
export const uploadsRoute = (
  store: Pick<ObjectStore, 'stat' | 'put'>,
  reader: UploadReader,
  pace = BODY_PACE,
): HostRoute => {
  const uploads = new ConcurrencyLimit({ all: UPLOADS_AT_ONCE, ofOwner: UPLOADS_OF_ADDRESS });
  return {
    method: 'PUT',
    path: `${reader.path}/{path}`,
    counts: 'bulk',
    entry: async (request) => {
      const answer = reader.read(`${request.path.slice(reader.path.length)}?${request.query}`);
      if (answer.state !== 'valid') return forbidden(answer.state);
      const { upload } = answer;
      if (request.headers['content-type'] !== upload.contentType) return forbidden('invalid');
      if ((request.length ?? 0) > upload.size) return refusalReply(tooLarge(upload));
      if (request.length !== undefined && request.length < upload.size) return refusalReply(otherBytes(upload));
      const existing = await store.stat(upload.key);
      if (existing) return existing.sha256 === upload.sha256 ? stored(200, upload) : taken();
      const end = uploads.begin(countedAddress(request.address()));
      if (!end) {
        return refusalReply(refuse('unavailable', { message: 'Too many uploads right now; try again.' }));
      }
      try {
        return await receive(store, upload, request, pace);
      } finally {
        end();
      }
    },
  };
};
