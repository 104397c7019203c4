import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { get, type Reply } from '../client.ts';
import { aSlug, DOCS, type DocumentCalls, documentCalls, MANIFEST, PENDING } from '../document-calls.ts';
import type { Mount } from '../mount.ts';
import { pathSeen, sendRaw } from '../raw.ts';

/** Tests the lists of versions, pending reviews and documents, and the skill package. */
export const documentListsSuite = (mount: () => Mount): void => {
  let use: DocumentCalls;
  beforeAll(async () => {
    use = await documentCalls(mount());
  });

  describe('the lists of documents', () => {
    test('the versions of a document are listed newest first, page by page, drafts included', async () => {
      const slug = aSlug();
      await use.approved(slug, 0);
      for (let n = 0; n < 4; n++) await use.write(slug, 1);
      const page = async (query: string) =>
        (await get(mount(), `${DOCS}/${slug}/versions${query}`, use.reader.key)).body;
      const numbers = ({ data }: { data: { number: number }[] }) => data.map(({ number }) => number);
      const first = await page('?per_page=2');
      expect(numbers(first)).toEqual([5, 4]);
      const path = `${mount().urls.design}${DOCS}/${slug}/versions`;
      expect(first.links).toEqual({
        first: `${path}?per_page=2&page=1`,
        last: `${path}?per_page=2&page=3`,
        prev: null,
        next: `${path}?per_page=2&page=2`,
      });
      expect(first.meta).toEqual({ current_page: 1, from: 1, last_page: 3, path, per_page: 2, to: 2, total: 5 });
      expect(numbers(await page('?per_page=2&page=2'))).toEqual([3, 2]);
      expect(numbers(await page('?per_page=2&page=3'))).toEqual([1]);
      expect(await page('?per_page=2&page=4')).toMatchObject({ data: [], meta: { from: null, to: null, total: 5 } });
      expect(numbers(await page(''))).toEqual([5, 4, 3, 2, 1]);
    });

    test.each([['page=0'], ['per_page=101'], ['per_page=0'], ['page=x']])('the query %s is 422', async (query) => {
      expect((await get(mount(), `${PENDING}?${query}`, use.reviewer.key)).status).toBe(422);
      expect((await get(mount(), `${MANIFEST}?${query}`, use.reader.key)).status).toBe(422);
    });

    /** Every entry of a paged list, by its own links. */
    const walk = async <T>(path: string, key: string): Promise<T[]> => {
      const entries: T[] = [];
      let next: string | null = path;
      while (next !== null) {
        const { body }: Reply = await get(mount(), next, key);
        entries.push(...body.data);
        next = body.links.next?.replace(mount().urls.design, '') ?? null;
      }
      return entries;
    };

    test('pending reviews begin with the oldest submission, which its verdict removes', async () => {
      const slug = aSlug();
      const numbers = [await use.submitted(slug, 0), await use.submitted(slug, 0), await use.submitted(slug, 0)];
      const listed = async () =>
        (
          await walk<{ slug: string; number: number; submitted_at: string }>(`${PENDING}?per_page=7`, use.reviewer.key)
        ).filter((one) => one.slug === slug);
      expect((await listed()).map(({ number }) => number)).toEqual(numbers);
      await use.judge(slug, numbers[0] as number);
      await use.judge(slug, numbers[2] as number, 'rejected');
      expect((await listed()).map(({ number }) => number)).toEqual([numbers[1]]);
    });

    test('the manifest lists every document once, ordered by slug', async () => {
      const mine = [aSlug(), aSlug()].sort();
      for (const slug of mine) await use.write(slug, 0);
      const slugs = (await walk<{ slug: string }>(`${MANIFEST}?per_page=5`, use.reader.key)).map(({ slug }) => slug);
      expect(slugs).toEqual([...new Set(slugs)].sort());
      expect(slugs).toEqual(expect.arrayContaining(mine));
      const { total } = (await get(mount(), MANIFEST, use.reader.key)).body.meta;
      expect(total).toBe(slugs.length);
    });
  });

  describe('the skill package', () => {
    const manifest = async () => (await get(mount(), MANIFEST, use.reader.key)).body.skill;

    test('each file of the manifest is served without a credential, with the stated hash and size', async () => {
      const skill = await manifest();
      expect(skill.files.map(({ path }: { path: string }) => path)).toContain('SKILL.md');
      for (const { path, sha256, size, download_url } of skill.files) {
        expect(download_url).toBe(`${mount().urls.design}/skill/${path}`);
        const response = await fetch(download_url);
        const bytes = Buffer.from(await response.arrayBuffer());
        expect([response.status, bytes.length]).toEqual([200, size]);
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
        expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
        const etag = response.headers.get('etag') as string;
        expect(etag).toMatch(/^"[\w-]{20,}"$/);
        expect((await fetch(download_url, { headers: { 'If-None-Match': etag } })).status).toBe(304);
      }
    });

    test('the hash of the package is that of the sha256sum lines', async () => {
      const { files, sha256, size } = await manifest();
      const lines = files.map((file: { path: string; sha256: string }) => `${file.sha256}  ${file.path}\n`).join('');
      expect(createHash('sha256').update(lines).digest('hex')).toBe(sha256);
      expect(files.reduce((sum: number, file: { size: number }) => sum + file.size, 0)).toBe(size);
    });

    test.each([
      'package.json',
      '..%2f..%2fpackage.json',
      'references',
      '%00',
      'SKILL.md/',
    ])('the path /skill/%s is 404 in JSON', async (path) => {
      const response = await fetch(`${mount().urls.design}/skill/${path}`);
      expect([response.status, await response.json()]).toEqual([404, { message: expect.any(String) }]);
    });

    test('a path outside the skill package folder is 404', async () => {
      const path = '/skill/../package.json';
      const seen = pathSeen(mount(), path);
      // A runtime that normalizes the path requests another path of the host, whose pages answer in HTML.
      if (seen !== path) return expect((await fetch(mount().urls.design + seen)).status).toBe(404);
      const { status, body } = await sendRaw(mount(), { path, host: 'design' });
      expect([status, body]).toEqual([404, { message: expect.any(String) }]);
    });
  });
};
