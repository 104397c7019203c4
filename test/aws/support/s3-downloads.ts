import { beforeAll, expect, test } from 'vitest';
import { aBuyer, type Buyer } from '../../surface/buyers.ts';
import { get } from '../../surface/client.ts';
import type { Mount } from '../../surface/mount.ts';
import { TOOL } from '../../surface/shop.ts';

/** What S3 does with the URLs that it serves: all that a client needs, and less than the service's own. */
export const s3DownloadsSuite = (mount: () => Mount): void => {
  let buyer: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
  });

  const planned = async () =>
    (await get(mount(), `/api/products/${TOOL}/install?platform=linux-amd64`, buyer.key)).body.data;

  const fetched = async (init: RequestInit): Promise<Response> => {
    const response = await fetch((await planned()).download_url, init);
    await response.body?.cancel();
    return response;
  };

  test('saves the file under its name, and says what its bytes are', async () => {
    const { headers } = await fetched({});
    expect(headers.get('content-disposition')).toBe('attachment; filename=file-1.1.0.zip');
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('x-amz-meta-sha256')).toBe((await planned()).sha256);
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('cache-control')).toContain('no-store');
  });

  test('takes no second credential beside the one in the URL', async () => {
    const { status } = await fetched({ headers: { authorization: `Bearer ${buyer.key}` } });
    expect(status).toBe(400);
  });

  test.each(['HEAD', 'PUT', 'DELETE'])('is signed for GET and not for %s', async (method) => {
    expect((await fetched({ method })).status).toBe(403);
  });
};
