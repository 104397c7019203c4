import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Received } from '../filesystem/receive.ts';
import { isTaken } from './faults.ts';
import { Multipart, type Place } from './multipart.ts';

/** S3 takes up to 10,000 parts, so 80 GiB of these. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 3;

/** Where objects lie until their sum is known; what was left there by accident goes by the bucket's lifecycle. */
const INCOMING = 'incoming/';

const metadataOf = (sha256: string): Record<string, string> => ({ sha256 });

/**
 * Sends bytes to S3 as they come, a few parts of 8 MiB at a time. The object that they make has its SHA-256 in its
 * metadata, which S3 takes at the beginning only. So what fits in one part is kept until its end; what is longer goes to
 * its place at once if its sum was told before, and else to a place of its own, from where S3 copies it.
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

  /** `sha256` is what the bytes have to have; nobody but the caller checks that. */
  constructor(client: S3Client, place: Place, sha256: string | undefined) {
    this.#client = client;
    this.#place = place;
    this.#sha256 = sha256;
    this.#staged = { Bucket: place.Bucket, Key: INCOMING + randomUUID() };
  }

  /** Takes bytes, and waits while enough others are on their way. */
  async take(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    // The last part is held back, for what has come may be all.
    while (this.#waitingBytes > PART_BYTES) await this.#send(this.#next());
  }

  /** Makes the object of what was taken; false, with nothing made, where its key is taken, or being taken. */
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

  /** Gives up what was sent. */
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

  /** Without a copy where it came in one piece. */
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
    // A part that failed stays, so that whoever waits for it next fails as it did.
    sent.then(() => this.#sending.delete(sent)).catch(() => {});
  }

  #begin(): Promise<Multipart> {
    return this.#sha256 === undefined
      ? Multipart.begin(this.#client, this.#staged, {})
      : Multipart.begin(this.#client, this.#place, metadataOf(this.#sha256));
  }

  /** S3 checks the sum again. */
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
