import { ListObjectsV2Command, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { KeyPage, ObjectListing } from '../../ports/outbound/object-store.ts';
import { readingClient } from './clients.ts';
import { asUnavailable } from './faults.ts';
import { OBJECTS } from './prefixes.ts';

/** Lists the keys in an S3Objects bucket, a thousand per page. The credentials need s3:ListBucket. */
export class S3Listing implements ObjectListing {
  readonly #bucket: string;
  readonly #client;

  constructor(bucket: string, config: S3ClientConfig = {}) {
    this.#bucket = bucket;
    this.#client = readingClient(config);
  }

  async list(after?: string): Promise<KeyPage> {
    const start = after === undefined ? {} : { StartAfter: OBJECTS + after };
    const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: OBJECTS, ...start });
    try {
      const { Contents = [], IsTruncated } = await this.#client.send(command);
      const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key.slice(OBJECTS.length)]));
      return IsTruncated ? { keys, next: keys.at(-1) } : { keys };
    } catch (error) {
      throw asUnavailable(this.#bucket, error);
    }
  }
}
