/**
 * Puts SIZE zeros under the key `object` in the store in FOLDER and prints the outcome in one line. With `stall` it
 * prints `half` once half of them are written, and then waits to be killed.
 *
 * node test/support/put-object.ts FOLDER SIZE [stall]
 */

import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { SECRET } from './download-server.ts';

const [folder = '', size = '0', stall] = process.argv.slice(2);
const half = Buffer.alloc(Number(size) / 2);

async function* zeros(): AsyncGenerator<Buffer> {
  yield half;
  // A stream is read one chunk ahead, so the request for the second next chunk shows that the first was written.
  yield half.subarray(0, 1);
  if (stall) {
    console.log('half');
    await sleep(60_000);
  }
  yield half.subarray(1);
}

try {
  const store = new FilesystemObjects(folder, new DownloadSignature({ secret: SECRET, baseUrl: '' }));
  await store.put(grantPermit(), 'object', Readable.from(zeros(), { objectMode: true, highWaterMark: 1 }));
  console.log('stored');
} catch (error) {
  console.log(String(error));
}
