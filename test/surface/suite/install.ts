import { beforeAll, describe, expect, test } from 'vitest';
import { aBuyer } from '../buyers.ts';
import { get, type Reply } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, OTHER, SCHEDULED, sha256, TOOL, WITHDRAWN } from '../shop.ts';

export const installSuite = (mount: () => Mount): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service));
  });

  const plan = (query: string, with_: string = key, product = TOOL): Promise<Reply> =>
    get(mount(), `/api/products/${product}/install?${query}`, with_);

  test('an install plan names the file, its SHA-256 and its size', async () => {
    const bytes = artifactBytes('1.1.0', 'linux-amd64');
    expect((await plan('platform=linux-amd64')).body.data).toEqual({
      product_id: TOOL,
      kind: 'manual',
      name: 'Tool',
      version: '1.1.0',
      build: null,
      channel: 'stable',
      filename: 'file-1.1.0.zip',
      sha256: sha256(bytes),
      size: bytes.length,
      format: 'zip',
      download_url: expect.any(String),
      download_expires_at: expect.any(String),
      target: 'linux-amd64',
      slug: 'tool',
      release_id: 12,
    });
  });

  test('an install plan for a product without a release is 404 install_not_available', async () => {
    const owner = await aBuyer(mount().service, { product_id: OTHER });
    expect((await plan('', owner.key, OTHER)).body).toEqual({
      message: expect.any(String),
      error: 'install_not_available',
    });
  });

  test.each([
    ['channel=STABLE', 'channel'],
    ['platform=windows-mips', 'platform'],
    ['release=latest', 'release'],
    ['release=1.5', 'release'],
  ])('an install plan for ?%s is 422 and names the field', async (query, field) => {
    const reply = await plan(query);
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
  });

  describe('the signed URL of an install plan', () => {
    const planned = async () => (await plan('platform=linux-amd64')).body.data;
    const bytes = artifactBytes('1.1.0', 'linux-amd64');

    test('the signed URL of an install plan is valid for 15 minutes', async () => {
      const { download_expires_at } = await planned();
      const left = Date.parse(download_expires_at) - Date.now();
      expect(left).toBeGreaterThan(14 * 60_000);
      expect(left).toBeLessThanOrEqual(15 * 60_000);
    });

    test('the signed URL of an install plan needs no credential, and its bytes match the planned SHA-256', async () => {
      const { download_url, sha256: sum, size } = await planned();
      const response = await fetch(download_url);
      const read = await response.text();
      expect([response.status, sha256(read), read.length]).toEqual([200, sum, size]);
      expect(read).toBe(bytes);
    });

    test('the signed URL of an install plan contains no key', async () => {
      expect((await planned()).download_url).not.toContain('svc_');
    });

    test('a download by signed URL resumes with Range and If-Range', async () => {
      const { download_url } = await planned();
      const first = await fetch(download_url, { headers: { Range: 'bytes=0-99' } });
      const etag = first.headers.get('etag') as string;
      const rest = await fetch(download_url, { headers: { Range: 'bytes=100-', 'If-Range': etag } });
      expect([first.status, rest.status]).toEqual([206, 206]);
      expect((await first.text()) + (await rest.text())).toBe(bytes);
    });

    test('a signed URL with any part changed is 403', async () => {
      const { download_url } = await planned();
      const url = new URL(download_url);
      const changed = [...url.searchParams.keys()].map((name) => {
        const other = new URL(url);
        other.searchParams.set(name, `${url.searchParams.get(name)}0`);
        return other.href;
      });
      expect(changed.length).toBeGreaterThan(1);
      const renamed = download_url.replace('file-1.1.0.zip', 'file-1.1.0.exe');
      const without = `${url.origin}${url.pathname}`;
      for (const href of [...changed, renamed, without]) {
        const response = await fetch(href);
        expect(response.status, href).toBe(403);
        expect(await response.text()).not.toContain('linux-amd64');
      }
    });

    test('an install plan of a withdrawn release is 404 with the reason, and of a scheduled one as if unknown', async () => {
      const withdrawn = await plan(`platform=linux-amd64&release=${WITHDRAWN}`);
      expect([withdrawn.status, withdrawn.body]).toEqual([
        404,
        { error: 'install_not_available', message: 'Version 1.9.0 was withdrawn: It deletes files.' },
      ]);
      const scheduled = await plan(`platform=linux-amd64&release=${SCHEDULED}`);
      expect([scheduled.status, scheduled.body]).toEqual([
        404,
        { error: 'install_not_available', message: `This product has no release ${SCHEDULED}.` },
      ]);
    });

    test('an install plan records no install', async () => {
      const buyer = await aBuyer(mount().service);
      for (let n = 0; n < 3; n++) await plan('platform=linux-amd64', buyer.key);
      expect(await Array.fromAsync(mount().service.get('installs').list(buyer.account))).toEqual([]);
    });
  });
};
