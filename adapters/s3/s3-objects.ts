import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  type S3ClientConfig,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { create as contentDisposition } from 'content-disposition';
import type { Permit } from '../../domain/access/permit.ts';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import type { StoredFile } from '../../domain/shared/stored-file.ts';
import {
  type ByteRange,
  checkObjectKey,
  type DownloadTerms,
  type Examination,
  type ExpectedFacts,
  type ObjectInfo,
  type ObjectState,
  type ObjectStore,
  type OpenedObject,
  type SignedDownload,
  type SignedUpload,
  type StoredObject,
  type UploadTerms,
} from '../../ports/outbound/object-store.ts';
import { infoOf, receive, refuseOtherBytes, stateOfBytes, stateOfSize } from '../filesystem/receive.ts';
import { StoreUnavailable } from '../store/table.ts';
import { readingClient, writingClient } from './clients.ts';
import { asUnavailable, isMissing, isRefused, isTaken } from './faults.ts';
import { INCOMING, OBJECTS, PING } from './prefixes.ts';

type Part = CompletedPart & { readonly PartNumber: number };

type Place = { readonly Bucket: string; readonly Key: string };

const crcOf = (bytes: Buffer): string => {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(bytes));
  return crc.toString('base64');
};

/**
 * A multipart upload. The object cannot be read before it is completed. S3 verifies the CRC-32 of each part, and that
 * none is missing.
 */
class Multipart {
  readonly #client: S3Client;
  readonly #upload: Place & { readonly UploadId: string | undefined };
  readonly #parts: Part[] = [];
  readonly #isSummed: boolean;

  private constructor(client: S3Client, upload: Place & { readonly UploadId: string | undefined }, isSummed: boolean) {
    this.#client = client;
    this.#upload = upload;
    this.#isSummed = isSummed;
  }

  static async begin(client: S3Client, place: Place, metadata: Record<string, string>): Promise<Multipart> {
    // Some S3-compatible servers support no part checksums, and verify only the signed SHA-256 of each body.
    const isSummed = (await client.config.requestChecksumCalculation()) !== 'WHEN_REQUIRED';
    const sums = isSummed ? { ChecksumAlgorithm: 'CRC32' as const } : {};
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, Metadata: metadata, ...sums }));
    return new Multipart(client, { ...place, UploadId }, isSummed);
  }

  /** Uploads the next part. Parts may be sent concurrently; the object has them in the order of the calls. */
  async add(bytes: Buffer): Promise<void> {
    const sum = this.#isSummed ? { ChecksumCRC32: crcOf(bytes) } : {};
    const part: Part = { PartNumber: this.#parts.length + 1, ...sum };
    this.#parts.push(part);
    const { ETag } = await this.#client.send(new UploadPartCommand({ ...this.#upload, ...part, Body: bytes }));
    part.ETag = ETag;
  }

  /** Copies an existing object of up to 5 GB as the next part. */
  async addCopy({ Bucket, Key }: Place): Promise<void> {
    const part: Part = { PartNumber: this.#parts.length + 1 };
    this.#parts.push(part);
    const command = new UploadPartCopyCommand({ ...this.#upload, ...part, CopySource: `${Bucket}/${Key}` });
    const { CopyPartResult } = await this.#client.send(command);
    Object.assign(part, { ETag: CopyPartResult?.ETag, ChecksumCRC32: CopyPartResult?.ChecksumCRC32 });
  }

  /** Creates the object from the parts. Fails with status 412 if the key exists. */
  async complete(): Promise<void> {
    const MultipartUpload = { Parts: this.#parts };
    await this.#client.send(new CompleteMultipartUploadCommand({ ...this.#upload, MultipartUpload, IfNoneMatch: '*' }));
  }

  /** Discards the parts. If that fails, the bucket's lifecycle discards them. */
  async abort(): Promise<void> {
    await this.#client.send(new AbortMultipartUploadCommand(this.#upload)).catch(() => {});
  }
}

/** The size of a part. S3 accepts up to 10,000 parts, that is 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 3;

const metadataOf = (sha256: string): Record<string, string> => ({ sha256 });

/**
 * Sends bytes to S3 as they arrive, a few parts of 8 MiB at a time. The object's SHA-256 becomes its metadata, which S3
 * accepts only when an upload begins. So an object that fits one part is sent once it is complete. A longer object goes
 * directly to its key if the caller gave its SHA-256; otherwise it goes to a key under `incoming/`, and S3 copies it
 * from there.
 */
class Upload {
  readonly #client: S3Client;
  readonly #place: Place;
  readonly #sha256: string | undefined;
  readonly #staged: Place;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #multipart: Multipart | undefined;
  readonly #sending = new Set<Promise<void>>();

  /** `sha256` is the checksum that the bytes must have. The caller verifies it. */
  constructor(client: S3Client, place: Place, sha256: string | undefined) {
    this.#client = client;
    this.#place = place;
    this.#sha256 = sha256;
    this.#staged = { Bucket: place.Bucket, Key: INCOMING + randomUUID() };
  }

  /** Takes bytes. Waits while the maximum number of parts is being sent. */
  async take(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    // One part is held back, because it may turn out to be the whole object.
    while (this.#waitingBytes > PART_BYTES) await this.#send(this.#next());
  }

  /**
   * Creates the object from the bytes taken. Returns false and creates nothing if the key exists or a concurrent put is
   * creating it.
   */
  async finish(received: StoredFile): Promise<boolean> {
    try {
      await this.#finish(received);
      return true;
    } catch (error) {
      if (!isTaken(error)) throw error;
      await this.abort();
      return false;
    }
  }

  /** Discards the parts that were sent. */
  async abort(): Promise<void> {
    await Promise.allSettled(this.#sending);
    await this.#multipart?.abort();
  }

  async #finish({ sha256 }: StoredFile): Promise<void> {
    if (!this.#multipart) return this.#putWhole(this.#all(), sha256);
    await this.#send(this.#all());
    await Promise.all(this.#sending);
    await this.#multipart.complete();
    if (this.#sha256 === undefined) await this.#unstage(sha256);
  }

  /** All waiting bytes. A single chunk is not copied. */
  #all(): Buffer {
    const [first] = this.#waiting;
    return first && this.#waiting.length === 1 ? first : Buffer.concat(this.#waiting);
  }

  #next(): Buffer {
    const bytes = this.#all();
    const rest = bytes.subarray(PART_BYTES);
    this.#waiting = [rest];
    this.#waitingBytes = rest.length;
    return bytes.subarray(0, PART_BYTES);
  }

  async #send(part: Buffer): Promise<void> {
    this.#multipart ??= await this.#begin();
    while (this.#sending.size >= PARTS_AT_ONCE) await Promise.race(this.#sending);
    const sent = this.#multipart.add(part);
    this.#sending.add(sent);
    // A failed part stays in the set, so that the next wait fails with its error.
    sent.then(() => this.#sending.delete(sent)).catch(() => {});
  }

  #begin(): Promise<Multipart> {
    return this.#sha256 === undefined
      ? Multipart.begin(this.#client, this.#staged, {})
      : Multipart.begin(this.#client, this.#place, metadataOf(this.#sha256));
  }

  /** Sends the object in one request. S3 verifies its SHA-256. */
  async #putWhole(bytes: Buffer, sha256: string): Promise<void> {
    const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
    const Metadata = metadataOf(sha256);
    await this.#client.send(
      new PutObjectCommand({ ...this.#place, Body: bytes, ChecksumSHA256, Metadata, IfNoneMatch: '*' }),
    );
  }

  async #unstage(sha256: string): Promise<void> {
    this.#multipart = await Multipart.begin(this.#client, this.#place, metadataOf(sha256));
    try {
      await this.#multipart.addCopy(this.#staged);
      await this.#multipart.complete();
    } finally {
      await this.#client.send(new DeleteObjectCommand(this.#staged)).catch(() => {});
    }
  }
}

/** A put that lost a race looks this often for the winner's object, with pauses of this many milliseconds. */
const LOOKS = 10;
const LOOK_MS = 200;

/**
 * Objects in a bucket under `objects/`, each with its SHA-256 in its metadata. Conditional writes never overwrite an
 * object. The bucket's lifecycle must discard incomplete uploads and remove leftovers under `incoming/`. The
 * credentials need s3:ListBucket for the prefixes of the objects that they read, to distinguish a missing object from a
 * forbidden one, and for the prefix `ping/`. A fault of S3 throws StoreUnavailable.
 */
export class S3Objects implements ObjectStore {
  readonly #bucket: string;
  readonly #reading: S3Client;
  readonly #writing: S3Client;

  constructor(bucket: string, config: S3ClientConfig = {}) {
    this.#bucket = bucket;
    this.#reading = readingClient(config);
    this.#writing = writingClient(config);
  }

  async put(_permit: Permit, key: string, bytes: Readable, expected: ExpectedFacts = {}): Promise<StoredObject> {
    checkObjectKey(key);
    const upload = new Upload(this.#writing, this.#place(key), expected.sha256);
    try {
      // An error of the input stream is rethrown unchanged.
      const received = await receive(bytes, expected, (chunk) => this.#orUnavailable(upload.take(chunk)));
      const created = await this.#orUnavailable(upload.finish(received));
      if (!created) await this.#refuseOtherBytes(key, received);
      return { created, info: infoOf(key, received) };
    } catch (error) {
      await upload.abort();
      throw error;
    }
  }

  async stat(key: string): Promise<ObjectInfo | undefined> {
    checkObjectKey(key);
    const head = await this.#found(key, this.#reading.send(new HeadObjectCommand(this.#place(key))));
    return head && this.#info(key, head.ContentLength, head.Metadata);
  }

  async open(key: string, range?: ByteRange): Promise<OpenedObject | undefined> {
    checkObjectKey(key);
    const input = { ...this.#place(key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) };
    const object = await this.#found(key, this.#reading.send(new GetObjectCommand(input)));
    if (!object) return undefined;
    const size = object.ContentRange === undefined ? object.ContentLength : Number(object.ContentRange.split('/')[1]);
    return { info: this.#info(key, size, object.Metadata), stream: object.Body as Readable };
  }

  /** S3 verifies its own bytes, so only the depth `bytes` downloads them. */
  async examine(key: string, expected: StoredFile, { depth, seen }: Examination): Promise<ObjectState> {
    const info = await this.stat(key);
    if (!info) return 'missing';
    const byFacts = info.sha256 === expected.sha256 ? stateOfSize(info.size, expected) : 'altered';
    if (depth !== 'bytes' || byFacts !== 'whole') return byFacts;
    const opened = await this.open(key);
    return opened ? this.#orUnavailable(stateOfBytes(opened.stream, expected, seen)) : 'missing';
  }

  async remove(_permit: Permit, key: string): Promise<void> {
    checkObjectKey(key);
    await this.#orUnavailable(this.#writing.send(new DeleteObjectCommand(this.#place(key))));
  }

  async signDownload(
    key: string,
    { filename, contentType, expiresAt, signedAt }: DownloadTerms,
  ): Promise<SignedDownload> {
    checkObjectKey(key);
    const { end, ...span } = spanTo(expiresAt, signedAt);
    const command = new GetObjectCommand({
      ...this.#place(key),
      ResponseContentDisposition: contentDisposition(filename),
      ResponseContentType: contentType,
      ResponseCacheControl: 'private, no-store',
    });
    const url = await this.#orUnavailable(getSignedUrl(this.#reading, command, span));
    return { url, expires_at: toInstant(end * 1000) };
  }

  async signUpload(
    _permit: Permit,
    key: string,
    { sha256, size, contentType, expiresAt }: UploadTerms,
  ): Promise<SignedUpload> {
    checkObjectKey(key);
    const { end, ...span } = spanTo(expiresAt);
    const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
    const command = new PutObjectCommand({
      ...this.#place(key),
      ...{ ContentLength: size, ContentType: contentType, ChecksumSHA256, Metadata: { sha256 }, IfNoneMatch: '*' },
    });
    const headers = {
      'content-type': contentType,
      'if-none-match': '*',
      'x-amz-checksum-sha256': ChecksumSHA256,
      'x-amz-meta-sha256': sha256,
    };
    const options = {
      ...span,
      // By default the presigner leaves the content type unsigned and moves Amazon's headers into the URL.
      signableHeaders: new Set(['content-type']),
      unhoistableHeaders: new Set(Object.keys(headers)),
    };
    const url = await this.#orUnavailable(getSignedUrl(this.#reading, command, options));
    return { method: 'PUT', url, headers, expires_at: toInstant(end * 1000) };
  }

  async ping(): Promise<void> {
    await this.#orUnavailable(this.#firstWith(PING));
  }

  #place(key: string): Place {
    return { Bucket: this.#bucket, Key: OBJECTS + key };
  }

  async #orUnavailable<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw asUnavailable(this.#bucket, error);
    }
  }

  /** The response about an object; undefined if the bucket has no such object. */
  async #found<T>(key: string, answer: Promise<T>): Promise<T | undefined> {
    return this.#orUnavailable(
      answer.catch(async (error: unknown) => {
        if (!isMissing(error) && !isRefused(error)) throw error;
        if (error instanceof NoSuchKey) return undefined;
        // A response to HEAD does not distinguish a missing object from a missing bucket, and S3 may return 403 for
        // either.
        const { Key } = this.#place(key);
        const isThere = (await this.#firstWith(Key)) === Key;
        if (isThere && isRefused(error)) throw error;
        return undefined;
      }),
    );
  }

  /** The first key with the prefix. Rejects if the bucket is missing or the credentials may not list the prefix. */
  async #firstWith(Prefix: string): Promise<string | undefined> {
    const { Contents } = await this.#reading.send(
      new ListObjectsV2Command({ Bucket: this.#bucket, Prefix, MaxKeys: 1 }),
    );
    return Contents?.[0]?.Key;
  }

  #info(key: string, size: number | undefined, metadata: Record<string, string> | undefined): ObjectInfo {
    const sha256 = metadata?.['sha256'];
    if (size !== undefined && sha256 !== undefined) return infoOf(key, { size, sha256 });
    throw new StoreUnavailable(`The bucket ${this.#bucket} has ${OBJECTS}${key} without its SHA-256.`);
  }

  /** Throws if the existing object has other bytes. Waits briefly if its upload has not ended. */
  async #refuseOtherBytes(key: string, received: StoredFile): Promise<void> {
    for (let look = 1; look <= LOOKS; look++) {
      const found = await this.stat(key);
      refuseOtherBytes(found, received);
      if (found) return;
      await pause(LOOK_MS);
    }
    throw new StoreUnavailable(
      `The bucket ${this.#bucket} has an unfinished upload of ${key} by another process; try again later.`,
    );
  }
}

const spanTo = (expiresAt: string, signedAt?: string) => {
  const end = Math.floor(millis(expiresAt) / 1000);
  const signed = Math.floor((signedAt === undefined ? Date.now() : millis(signedAt)) / 1000);
  // A URL that must have expired already is signed in the past.
  const begin = Math.min(signed, end - 1);
  return { end, expiresIn: end - begin, signingDate: new Date(begin * 1000) };
};
