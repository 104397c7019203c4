import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Agent, anAgent } from '../agents.ts';
import { get, post, type Reply, send } from '../client.ts';
import type { Mount } from '../mount.ts';

const DOCS = '/api/agent/docs';
const REVIEWS = '/api/agent/reviews';
const PENDING = '/api/agent/reviews/pending';
const TEXT = '# Buttons\n\nA button has one line of text.\n';

let named = 0;

/** A slug that no other case has. */
const aSlug = (): string => {
  named += 1;
  return `case-${process.pid}-${named}`;
};

/** Tests design documents: writing, submitting, reviewing, reading, and their lists. */
export const documentsSuite = (mount: () => Mount): void => {
  let reader: Agent;
  let writer: Agent;
  let other: Agent;
  let reviewer: Agent;

  beforeAll(async () => {
    const { service } = mount();
    [reader, writer, other, reviewer] = await Promise.all([
      anAgent(service, 'read'),
      anAgent(service, 'write', 'first writer'),
      anAgent(service, 'write', 'second writer'),
      anAgent(service, 'review', 'first reviewer'),
    ]);
  });

  const read = (slug: string, query = ''): Promise<Reply> => get(mount(), `${DOCS}/${slug}${query}`, reader.key);
  const write = (slug: string, base_version: number, body = TEXT, by = writer): Promise<Reply> =>
    post(mount(), `${DOCS}/${slug}/versions`, by.key, { body, base_version });
  const submit = (slug: string, number: number | string, by = writer): Promise<Reply> =>
    send(mount(), 'POST', `${DOCS}/${slug}/versions/${number}/submit`, { key: by.key });
  const judge = (slug: string, version: number, verdict = 'approved', reason = 'As agreed.'): Promise<Reply> =>
    post(mount(), REVIEWS, reviewer.key, { slug, version, verdict, reason });
  const submitted = async (slug: string, base: number, body = TEXT): Promise<number> => {
    const { number } = (await write(slug, base, body)).body.version;
    await submit(slug, number);
    return number;
  };
  const approved = async (slug: string, base: number, body = TEXT): Promise<number> => {
    const number = await submitted(slug, base, body);
    expect((await judge(slug, number)).status).toBe(200);
    return number;
  };

  describe('the life of a version', () => {
    test('a draft that is submitted and approved becomes the current version, with its heading as the title', async () => {
      const slug = aSlug();
      const draft = await write(slug, 0);
      expect(draft.status).toBe(201);
      expect(draft.body.version).toEqual({
        slug,
        number: 1,
        base_version: 0,
        state: 'draft',
        author: { id: writer.id, name: 'first writer' },
        sha256: createHash('sha256').update(TEXT).digest('hex'),
        size: TEXT.length,
        created_at: expect.any(String),
        submitted_at: null,
        review: null,
      });
      expect((await submit(slug, 1)).body.version).toMatchObject({
        state: 'in_review',
        submitted_at: expect.any(String),
      });
      const { status, body } = await judge(slug, 1, 'approved', '  It is right. ');
      expect(status).toBe(200);
      expect(body.version).toMatchObject({
        state: 'approved',
        review: { verdict: 'approved', reason: 'It is right.', reviewer: { id: reviewer.id, name: 'first reviewer' } },
      });
      expect(body.document).toMatchObject({ slug, title: 'Buttons', latest_version: 1, current_version: 1 });
      expect((await read(slug)).body).toEqual({ document: body.document, version: { ...body.version, body: TEXT } });
    });

    test.each([
      'changes_requested',
      'rejected',
    ])('a version with the verdict %s is kept and does not become current', async (verdict) => {
      const slug = aSlug();
      await approved(slug, 0);
      const number = await submitted(slug, 1, '# New\n');
      expect((await judge(slug, number, verdict, 'No.')).body).toMatchObject({
        version: { state: verdict, review: { verdict, reason: 'No.' } },
        document: { current_version: 1, latest_version: 2 },
      });
      expect((await read(slug)).body.version.number).toBe(1);
      expect((await read(slug, '?version=2')).body.version).toMatchObject({ state: verdict, body: '# New\n' });
    });

    test('of two drafts on one base the second approval is 409 with the current version, and other verdicts pass', async () => {
      const slug = aSlug();
      await approved(slug, 0);
      const [one, two] = [await submitted(slug, 1), await submitted(slug, 1)];
      expect((await judge(slug, two)).status).toBe(200);
      const late = await judge(slug, one);
      expect([late.status, late.body]).toEqual([409, { message: expect.any(String), current_version: two }]);
      expect((await judge(slug, one, 'changes_requested')).status).toBe(200);
      expect((await read(slug)).body.document).toMatchObject({ current_version: two, latest_version: 3 });
    });

    test('a draft on a version that is not current any more is accepted', async () => {
      const slug = aSlug();
      await approved(slug, 0);
      await approved(slug, 1);
      expect((await write(slug, 1)).body.version).toMatchObject({ number: 3, base_version: 1 });
    });

    test('a second verdict on a version is 409 with its state, whatever the verdict', async () => {
      const slug = aSlug();
      await approved(slug, 0);
      for (const verdict of ['approved', 'changes_requested', 'rejected']) {
        const reply = await judge(slug, 1, verdict);
        expect([reply.status, reply.body]).toEqual([409, { message: expect.any(String), state: 'approved' }]);
      }
    });

    test('two verdicts on one version at once are one 200 and one 409', async () => {
      const slug = aSlug();
      const number = await submitted(slug, 0);
      const replies = await Promise.all([judge(slug, number), judge(slug, number, 'rejected')]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    test('ten drafts at once get the numbers one to ten', async () => {
      const slug = aSlug();
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) => write(slug, 0, TEXT, n % 2 ? writer : other)),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      const numbers = replies.map(({ body }) => body.version.number).sort((a, b) => a - b);
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });
  });

  describe('reading a document', () => {
    test('a document that does not exist is 404, and so is one without an approved version; the sentences differ', async () => {
      const slug = aSlug();
      const missing = await read(slug);
      await submitted(slug, 0);
      const unapproved = await read(slug);
      expect([missing.status, unapproved.status]).toEqual([404, 404]);
      expect(missing.body.message).toContain('There is no document');
      expect(unapproved.body.message).toContain('is approved yet');
      expect((await read(slug, '?version=1')).body.version.state).toBe('in_review');
    });

    test('a draft is 404, and so is a version that does not exist', async () => {
      const slug = aSlug();
      await approved(slug, 0);
      await write(slug, 1);
      const [draft, missing] = [await read(slug, '?version=2'), await read(slug, '?version=9')];
      expect([draft.status, missing.status]).toEqual([404, 404]);
    });

    test.each([
      'A',
      '..%2F..',
      '%00',
      'a'.repeat(600),
      'a_b',
      '한글',
    ])('the slug %s, which no document can have, is 404', async (slug) => {
      const path = `${DOCS}/${encodeURIComponent(decodeURIComponent(slug))}`;
      expect((await get(mount(), path, reader.key)).status).toBe(404);
      expect((await get(mount(), `${path}/versions`, reader.key)).status).toBe(404);
      expect((await post(mount(), `${path}/versions`, writer.key, { body: 'x', base_version: 0 })).status).toBe(404);
    });

    test.each(['0', '-1', '1.5', 'x'])('the version %s is 422', async (version) => {
      const { status, body } = await read(aSlug(), `?version=${version}`);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['version']]);
    });

    test('a new approval changes the ETag of a document', async () => {
      const slug = aSlug();
      await approved(slug, 0);
      const etag = (await read(slug)).headers.get('etag') as string;
      const again = () => get(mount(), `${DOCS}/${slug}`, reader.key, { 'If-None-Match': etag });
      expect((await again()).status).toBe(304);
      await approved(slug, 1);
      expect((await again()).status).toBe(200);
    });
  });

  describe('writing a version', () => {
    test.each([
      ['a base that does not exist', { body: TEXT, base_version: 1 }, 'base_version'],
      ['a negative base', { body: TEXT, base_version: -1 }, 'base_version'],
      ['no base', { body: TEXT }, 'base_version'],
      ['no body', { base_version: 0 }, 'body'],
      ['an empty body', { body: '', base_version: 0 }, 'body'],
      ['a body of one byte too many', { body: 'x'.repeat(262_145), base_version: 0 }, 'body'],
      ['a body of too many bytes in fewer characters', { body: '한'.repeat(90_000), base_version: 0 }, 'body'],
      ['a body with half of a surrogate pair', { body: '\ud800', base_version: 0 }, 'body'],
    ])('%s is 422', async (_, json, field) => {
      const { status, body } = await post(mount(), `${DOCS}/${aSlug()}/versions`, writer.key, json);
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    });

    test.each([
      ['plain text', 'x'],
      ['quotes', '"'],
      ['line feeds', '\n'],
      ['backslashes', '\\'],
    ])('a body of 256 KiB of %s is kept byte for byte', async (_, one) => {
      const slug = aSlug();
      const body = `# Large\n${one.repeat(262_144 - 8)}`;
      await approved(slug, 0, body);
      expect((await read(slug)).body.version).toMatchObject({ size: 262_144, body });
    });

    test('a body of 256 KiB of text that can’t be compressed is kept', async () => {
      const slug = aSlug();
      let state = 1;
      const next = () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return String.fromCharCode(0x21 + (state % 94));
      };
      const body = Array.from({ length: 262_144 }, next).join('');
      await approved(slug, 0, body);
      expect((await read(slug)).body.version.body).toBe(body);
    });

    test('a body over 1 MiB is 413', async () => {
      expect((await write(aSlug(), 0, 'x'.repeat(1024 * 1024))).status).toBe(413);
    });

    test('another agent’s draft is no base, and the own one is', async () => {
      const slug = aSlug();
      await write(slug, 0);
      expect((await write(slug, 1, TEXT, other)).status).toBe(422);
      expect((await write(slug, 1)).status).toBe(201);
    });

    test('the same request under one Idempotency-Key writes one version, and another agent’s key is its own', async () => {
      const slug = aSlug();
      const ask = (by: Agent) =>
        send(mount(), 'POST', `${DOCS}/${slug}/versions`, {
          key: by.key,
          json: { body: TEXT, base_version: 0 },
          headers: { 'Idempotency-Key': slug },
        });
      const [first, again, theirs] = [await ask(writer), await ask(writer), await ask(other)];
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(theirs.body.version.number).toBe(2);
    });
  });

  describe('submitting a version', () => {
    test('another agent’s draft is 404, and so are a version and a document that do not exist', async () => {
      const slug = aSlug();
      await write(slug, 0);
      expect((await submit(slug, 1, other)).status).toBe(404);
      for (const number of [2, 0, -1, 'x', '1e0']) expect((await submit(slug, number)).status).toBe(404);
      expect((await submit(aSlug(), 1)).status).toBe(404);
      expect((await submit(slug, 1)).status).toBe(200);
    });

    test('a version that is no draft is 409 with its state', async () => {
      const slug = aSlug();
      const number = await submitted(slug, 0);
      const again = await submit(slug, number);
      expect([again.status, again.body]).toEqual([409, { message: expect.any(String), state: 'in_review' }]);
    });
  });

  describe('reviewing a version', () => {
    test('a version or a document that does not exist is 404, and a draft is 409 with its state', async () => {
      const slug = aSlug();
      expect((await judge(slug, 1)).status).toBe(404);
      await write(slug, 0);
      expect((await judge(slug, 2)).status).toBe(404);
      const draft = await judge(slug, 1);
      expect([draft.status, draft.body]).toEqual([409, { message: expect.any(String), state: 'draft' }]);
    });

    test.each([
      ['no slug', { slug: '' }, 'slug'],
      ['a version 0', { version: 0 }, 'version'],
      ['an unknown verdict', { verdict: 'accepted' }, 'verdict'],
      ['an empty reason', { reason: '' }, 'reason'],
      ['a reason of blanks', { reason: ' \n ' }, 'reason'],
      ['a reason of 10,001 characters', { reason: 'x'.repeat(10_001) }, 'reason'],
    ])('%s is 422', async (_, wrong, field) => {
      const good = { slug: 'buttons', version: 1, verdict: 'rejected', reason: 'No.' };
      const { status, body } = await post(mount(), REVIEWS, reviewer.key, { ...good, ...wrong });
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    });
  });

  describe('the lists', () => {
    test('the versions of a document are listed newest first, page by page, drafts included', async () => {
      const slug = aSlug();
      await approved(slug, 0);
      for (let n = 0; n < 4; n++) await write(slug, 1);
      const page = async (query: string) => (await get(mount(), `${DOCS}/${slug}/versions${query}`, reader.key)).body;
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
      expect((await get(mount(), `${PENDING}?${query}`, reviewer.key)).status).toBe(422);
      expect((await get(mount(), `/api/agent/manifest?${query}`, reader.key)).status).toBe(422);
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

    test('the pending reviews begin with the version that was submitted first, and lose it with its verdict', async () => {
      const slug = aSlug();
      const numbers = [await submitted(slug, 0), await submitted(slug, 0), await submitted(slug, 0)];
      const listed = async () =>
        (
          await walk<{ slug: string; number: number; submitted_at: string }>(`${PENDING}?per_page=7`, reviewer.key)
        ).filter((one) => one.slug === slug);
      expect((await listed()).map(({ number }) => number)).toEqual(numbers);
      await judge(slug, numbers[0] as number);
      await judge(slug, numbers[2] as number, 'rejected');
      expect((await listed()).map(({ number }) => number)).toEqual([numbers[1]]);
    });

    test('the manifest lists every document once in the order of slugs', async () => {
      const mine = [aSlug(), aSlug()].sort();
      for (const slug of mine) await write(slug, 0);
      const slugs = (await walk<{ slug: string }>('/api/agent/manifest?per_page=5', reader.key)).map(
        ({ slug }) => slug,
      );
      expect(slugs).toEqual([...new Set(slugs)].sort());
      expect(slugs).toEqual(expect.arrayContaining(mine));
      const { total } = (await get(mount(), '/api/agent/manifest', reader.key)).body.meta;
      expect(total).toBe(slugs.length);
    });
  });

  describe('the skill package', () => {
    const manifest = async () => (await get(mount(), '/api/agent/manifest', reader.key)).body.skill;

    test('each file of the manifest is served without a credential, with the hash and size that the manifest tells', async () => {
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

    test('the hash of the package is that of the lines of sha256sum', async () => {
      const { files, sha256, size } = await manifest();
      const lines = files.map((file: { path: string; sha256: string }) => `${file.sha256}  ${file.path}\n`).join('');
      expect(createHash('sha256').update(lines).digest('hex')).toBe(sha256);
      expect(files.reduce((sum: number, file: { size: number }) => sum + file.size, 0)).toBe(size);
    });

    test.each([
      'package.json',
      '../package.json',
      '..%2f..%2fpackage.json',
      'references',
      '%00',
      'SKILL.md/',
    ])('the path /skill/%s is 404 in JSON', async (path) => {
      const response = await fetch(`${mount().urls.design}/skill/${path}`);
      expect([response.status, await response.json()]).toEqual([404, { message: expect.any(String) }]);
    });
  });
};
