import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Received } from '../filesystem/receive.ts';
import { isTaken } from './faults.ts';
import { Multipart, type Place } from './multipart.ts';
import { INCOMING } from './prefixes.ts';

/** Bytes of a part. S3 takes up to 10,000 parts, and so 78 GiB of these. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 3;

const metadataOf = (sha256: string): Record<string, string> => ({ sha256 });

/**
 * Sends bytes to S3 as they arrive, a few parts of 8 MiB at a time. The object gets its SHA-256 as metadata, which S3
 * takes only when an upload begins. So an object of one part is sent once it is complete. A longer object goes directly
 * to its key if the caller told its SHA-256; otherwise it goes to a key under `incoming/`, and S3 copies it from there.
 */
export class Upload {
  readonly #client: S3Client;
  readonly #place: Place;
  readonly #sha256: string | undefined;
  readonly #staged: Place;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #multipart: Multipart | undefined;
  readonly #sending = new Set<Promise<void>>();

  /** `sha256` is the sum that the bytes must have. The caller checks it. */
  constructor(client: S3Client, place: Place, sha256: string | undefined) {
    this.#client = client;
    this.#place = place;
    this.#sha256 = sha256;
    this.#staged = { Bucket: place.Bucket, Key: INCOMING + randomUUID() };
  }

  /** Takes bytes. Waits while the most parts that may be sent at once are being sent. */
  async take(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    // One part is held back, because the bytes so far may be the whole object.
    while (this.#waitingBytes > PART_BYTES) await this.#send(this.#next());
  }

  /**
   * Creates the object from the bytes taken. False, with nothing created, if the key exists or a concurrent put is
   * creating it.
   */
  async finish(received: Received): Promise<boolean> {
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

  async #finish({ sha256 }: Received): Promise<void> {
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

  /** Sends the object in one request. S3 checks its SHA-256. */
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
