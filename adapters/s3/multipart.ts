import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';

type Part = CompletedPart & { readonly PartNumber: number };

export type Place = { readonly Bucket: string; readonly Key: string };

const crcOf = (bytes: Buffer): string => {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(bytes));
  return crc.toString('base64');
};

/**
 * A multipart upload. The object cannot be read before it is completed. S3 checks each part by its CRC-32, and that no
 * part is missing.
 */
export class Multipart {
  readonly #client: S3Client;
  readonly #upload: Place & { readonly UploadId: string | undefined };
  readonly #parts: Part[] = [];

  private constructor(client: S3Client, upload: Place & { readonly UploadId: string | undefined }) {
    this.#client = client;
    this.#upload = upload;
  }

  static async begin(client: S3Client, place: Place, metadata: Record<string, string>): Promise<Multipart> {
    const command = new CreateMultipartUploadCommand({ ...place, Metadata: metadata, ChecksumAlgorithm: 'CRC32' });
    const { UploadId } = await client.send(command);
    return new Multipart(client, { ...place, UploadId });
  }

  /** Uploads the next part. Parts may be sent concurrently; the object has them in the order of the calls. */
  async add(bytes: Buffer): Promise<void> {
    const part: Part = { PartNumber: this.#parts.length + 1, ChecksumCRC32: crcOf(bytes) };
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

  /** Discards the parts. If that fails too, the bucket's lifecycle discards them. */
  async abort(): Promise<void> {
    await this.#client.send(new AbortMultipartUploadCommand(this.#upload)).catch(() => {});
  }
}
