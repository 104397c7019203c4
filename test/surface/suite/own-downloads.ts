import { beforeAll, expect, test } from 'vitest';
import { aBuyer, type Buyer } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, TOOL } from '../shop.ts';

/** Tests the signed URLs that the service serves itself. */
export const ownDownloadsSuite = (mount: () => Mount): void => {
  let buyer: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
  });

  const planned = async () =>
    (await get(mount(), `/api/products/${TOOL}/install?platform=linux-amd64`, buyer.key)).body.data;

  test('a download by signed URL has the file’s name, type, length and digest', async () => {
    const { download_url, sha256: sum } = await planned();
    const { headers } = await fetch(download_url, { method: 'HEAD' });
    expect(headers.get('content-disposition')).toBe('attachment; filename=file-1.1.0.zip');
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-length')).toBe(String(artifactBytes('1.1.0', 'linux-amd64').length));
    expect(headers.get('repr-digest')).toBe(`sha-256=:${Buffer.from(sum, 'hex').toString('base64')}:`);
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toContain('no-store');
  });

  test('a download by signed URL ignores any Authorization header', async () => {
    const { download_url } = await planned();
    for (const authorization of [`Bearer ${buyer.key}`, 'Bearer nonsense', 'Basic eDp5']) {
      expect((await fetch(download_url, { headers: { authorization } })).status).toBe(200);
    }
  });

  test('DELETE of a signed URL is 405', async () => {
    const { download_url } = await planned();
    const response = await fetch(download_url, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
};
