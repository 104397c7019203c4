import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { get, post } from '../client.ts';
import { aSlug, DOCS, type DocumentCalls, documentCalls, REVIEWS, TEXT } from '../document-calls.ts';
import type { Mount } from '../mount.ts';

/** Tests the life of a version, and the reading, submitting and reviewing of versions. */
export const documentsSuite = (mount: () => Mount): void => {
  let use: DocumentCalls;
  beforeAll(async () => {
    use = await documentCalls(mount());
  });

  describe('the life of a version', () => {
    test('a submitted and approved draft becomes the current version, with its heading as the title', async () => {
      const slug = aSlug();
      const draft = await use.write(slug, 0);
      expect(draft.status).toBe(201);
      expect(draft.body.version).toEqual({
        slug,
        number: 1,
        base_version: 0,
        state: 'draft',
        author: { id: use.writer.id, name: 'first writer' },
        sha256: createHash('sha256').update(TEXT).digest('hex'),
        size: TEXT.length,
        created_at: expect.any(String),
        submitted_at: null,
        review: null,
      });
      expect((await use.submit(slug, 1)).body.version).toMatchObject({
        state: 'in_review',
        submitted_at: expect.any(String),
      });
      const { status, body } = await use.judge(slug, 1, 'approved', '  It is right. ');
      expect(status).toBe(200);
      expect(body.version).toMatchObject({
        state: 'approved',
        review: {
          verdict: 'approved',
          reason: 'It is right.',
          reviewer: { id: use.reviewer.id, name: 'first reviewer' },
        },
      });
      expect(body.document).toMatchObject({ slug, title: 'Buttons', latest_version: 1, current_version: 1 });
      expect((await use.read(slug)).body).toEqual({
        document: body.document,
        version: { ...body.version, body: TEXT },
      });
    });

    test.each([
      'changes_requested',
      'rejected',
    ])('a version with the verdict %s is stored and does not become current', async (verdict) => {
      const slug = aSlug();
      await use.approved(slug, 0);
      const number = await use.submitted(slug, 1, '# New\n');
      expect((await use.judge(slug, number, verdict, 'No.')).body).toMatchObject({
        version: { state: verdict, review: { verdict, reason: 'No.' } },
        document: { current_version: 1, latest_version: 2 },
      });
      expect((await use.read(slug)).body.version.number).toBe(1);
      expect((await use.read(slug, '?version=2')).body.version).toMatchObject({ state: verdict, body: '# New\n' });
    });

    test('of two drafts on one base the second approval is 409 with the current version, and other verdicts are accepted', async () => {
      const slug = aSlug();
      await use.approved(slug, 0);
      const [one, two] = [await use.submitted(slug, 1), await use.submitted(slug, 1)];
      expect((await use.judge(slug, two)).status).toBe(200);
      const late = await use.judge(slug, one);
      expect([late.status, late.body]).toEqual([409, { message: expect.any(String), current_version: two }]);
      expect((await use.judge(slug, one, 'changes_requested')).status).toBe(200);
      expect((await use.read(slug)).body.document).toMatchObject({ current_version: two, latest_version: 3 });
    });

    test('a draft on an outdated version is accepted', async () => {
      const slug = aSlug();
      await use.approved(slug, 0);
      await use.approved(slug, 1);
      expect((await use.write(slug, 1)).body.version).toMatchObject({ number: 3, base_version: 1 });
    });

    test('a second verdict on a version is 409 with its state, whatever the verdict', async () => {
      const slug = aSlug();
      await use.approved(slug, 0);
      for (const verdict of ['approved', 'changes_requested', 'rejected']) {
        const reply = await use.judge(slug, 1, verdict);
        expect([reply.status, reply.body]).toEqual([409, { message: expect.any(String), state: 'approved' }]);
      }
    });

    test('ten simultaneous drafts get the numbers one to ten', async () => {
      const slug = aSlug();
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) => use.write(slug, 0, TEXT, n % 2 ? use.writer : use.other)),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      const numbers = replies.map(({ body }) => body.version.number).sort((a, b) => a - b);
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });
  });

  describe('reading a document', () => {
    test('an unknown document and one without an approved version are 404 with different messages', async () => {
      const slug = aSlug();
      const missing = await use.read(slug);
      await use.submitted(slug, 0);
      const unapproved = await use.read(slug);
      expect([missing.status, unapproved.status]).toEqual([404, 404]);
      expect(missing.body.message).toContain('There is no document');
      expect(unapproved.body.message).toContain('is approved yet');
      expect((await use.read(slug, '?version=1')).body.version.state).toBe('in_review');
    });

    test('a draft and an unknown version are 404', async () => {
      const slug = aSlug();
      await use.approved(slug, 0);
      await use.write(slug, 1);
      const [draft, missing] = [await use.read(slug, '?version=2'), await use.read(slug, '?version=9')];
      expect([draft.status, missing.status]).toEqual([404, 404]);
    });

    test.each(['A', '..%2F..', '%00', 'a'.repeat(600), 'a_b', '한글'])('the invalid slug %s is 404', async (slug) => {
      const path = `${DOCS}/${encodeURIComponent(decodeURIComponent(slug))}`;
      expect((await get(mount(), path, use.reader.key)).status).toBe(404);
      expect((await get(mount(), `${path}/versions`, use.reader.key)).status).toBe(404);
      expect((await post(mount(), `${path}/versions`, use.writer.key, { body: 'x', base_version: 0 })).status).toBe(
        404,
      );
    });

    test.each(['0', '-1', '1.5', 'x'])('the version %s is 422', async (version) => {
      const { status, body } = await use.read(aSlug(), `?version=${version}`);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['version']]);
    });

    test('a new approval changes the ETag of a document', async () => {
      const slug = aSlug();
      await use.approved(slug, 0);
      const etag = (await use.read(slug)).headers.get('etag') as string;
      const again = () => get(mount(), `${DOCS}/${slug}`, use.reader.key, { 'If-None-Match': etag });
      expect((await again()).status).toBe(304);
      await use.approved(slug, 1);
      expect((await again()).status).toBe(200);
    });
  });

  describe('submitting a version', () => {
    test('another agent’s draft, an unknown version and an unknown document are 404', async () => {
      const slug = aSlug();
      await use.write(slug, 0);
      expect((await use.submit(slug, 1, use.other)).status).toBe(404);
      for (const number of [2, 0, -1, 'x', '1e0']) expect((await use.submit(slug, number)).status).toBe(404);
      expect((await use.submit(aSlug(), 1)).status).toBe(404);
      expect((await use.submit(slug, 1)).status).toBe(200);
    });

    test('a version that is not a draft is 409 with its state', async () => {
      const slug = aSlug();
      const number = await use.submitted(slug, 0);
      const again = await use.submit(slug, number);
      expect([again.status, again.body]).toEqual([409, { message: expect.any(String), state: 'in_review' }]);
    });
  });

  describe('reviewing a version', () => {
    test('an unknown version or document is 404, and a draft is 409 with its state', async () => {
      const slug = aSlug();
      expect((await use.judge(slug, 1)).status).toBe(404);
      await use.write(slug, 0);
      expect((await use.judge(slug, 2)).status).toBe(404);
      const draft = await use.judge(slug, 1);
      expect([draft.status, draft.body]).toEqual([409, { message: expect.any(String), state: 'draft' }]);
    });

    test.each([
      ['no slug', { slug: '' }, 'slug'],
      ['a version 0', { version: 0 }, 'version'],
      ['an unknown verdict', { verdict: 'accepted' }, 'verdict'],
      ['an empty reason', { reason: '' }, 'reason'],
      ['a reason of blanks', { reason: ' \n ' }, 'reason'],
      ['a reason that shows nothing', { reason: '\u200b\u3164' }, 'reason'],
      ['a reason of 10,001 characters', { reason: 'x'.repeat(10_001) }, 'reason'],
    ])('a verdict with %s is 422', async (_, wrong, field) => {
      const good = { slug: 'buttons', version: 1, verdict: 'rejected', reason: 'No.' };
      const { status, body } = await post(mount(), REVIEWS, use.reviewer.key, { ...good, ...wrong });
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    });
  });
};
