import { beforeAll, expect, test } from 'vitest';
import { aBuyer, type Buyer } from '../../surface/buyers.ts';
import { get } from '../../surface/client.ts';
import type { Mount } from '../../surface/mount.ts';
import { TOOL } from '../../surface/shop.ts';

/** Tests the signed URLs that S3 serves, which support less than the service's own. */
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

  test('a download from S3 has the file’s name, type and SHA-256', async () => {
    const { headers } = await fetched({});
    expect(headers.get('content-disposition')).toBe('attachment; filename=file-1.1.0.zip');
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('x-amz-meta-sha256')).toBe((await planned()).sha256);
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('cache-control')).toContain('no-store');
  });

  test('a download from S3 with an Authorization header is 400', async () => {
    const { status } = await fetched({ headers: { authorization: `Bearer ${buyer.key}` } });
    expect(status).toBe(400);
  });

  test.each(['HEAD', 'PUT', 'DELETE'])('%s of a URL that is signed for GET is 403', async (method) => {
    expect((await fetched({ method })).status).toBe(403);
  });
};
