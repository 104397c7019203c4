import { beforeAll, describe, expect, test } from 'vitest';
import type { Agent } from '../agents.ts';
import { post, send } from '../client.ts';
import { aSlug, DOCS, type DocumentCalls, documentCalls, TEXT } from '../document-calls.ts';
import type { Mount } from '../mount.ts';

/** Tests the texts and bases that a new version may have. */
export const documentWritingSuite = (mount: () => Mount): void => {
  let use: DocumentCalls;
  beforeAll(async () => {
    use = await documentCalls(mount());
  });

  describe('writing a version', () => {
    test.each([
      ['a base that does not exist', { body: TEXT, base_version: 1 }, 'base_version'],
      ['a negative base', { body: TEXT, base_version: -1 }, 'base_version'],
      ['no base', { body: TEXT }, 'base_version'],
      ['no body', { base_version: 0 }, 'body'],
      ['an empty body', { body: '', base_version: 0 }, 'body'],
      ['a body that shows nothing', { body: ' \n\u200b', base_version: 0 }, 'body'],
      ['a body of one byte too many', { body: 'x'.repeat(262_145), base_version: 0 }, 'body'],
      ['a body of too many bytes in fewer characters', { body: '한'.repeat(90_000), base_version: 0 }, 'body'],
      ['a body with a control character', { body: 'a\u0000b', base_version: 0 }, 'body'],
      ['a body with half of a surrogate pair', { body: '\ud800', base_version: 0 }, 'body'],
    ])('a version with %s is 422', async (_, json, field) => {
      const { status, body } = await post(mount(), `${DOCS}/${aSlug()}/versions`, use.writer.key, json);
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    });

    test.each([
      ['plain text', 'x'],
      ['quotes', '"'],
      ['line feeds', '\n'],
      ['backslashes', '\\'],
    ])('a body of 256 KiB of %s is stored byte for byte', async (_, one) => {
      const slug = aSlug();
      const body = `# Large\n${one.repeat(262_144 - 8)}`;
      await use.approved(slug, 0, body);
      expect((await use.read(slug)).body.version).toMatchObject({ size: 262_144, body });
    });

    test('a body of 256 KiB of incompressible text is stored', async () => {
      const slug = aSlug();
      let state = 1;
      const next = () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return String.fromCharCode(0x21 + (state % 94));
      };
      const body = Array.from({ length: 262_144 }, next).join('');
      await use.approved(slug, 0, body);
      expect((await use.read(slug)).body.version.body).toBe(body);
    });

    test('a body over 1 MiB is 413', async () => {
      expect((await use.write(aSlug(), 0, 'x'.repeat(1024 * 1024))).status).toBe(413);
    });

    test('another agent’s draft can’t be a base, and the own one can', async () => {
      const slug = aSlug();
      await use.write(slug, 0);
      expect((await use.write(slug, 1, TEXT, use.other)).status).toBe(422);
      expect((await use.write(slug, 1)).status).toBe(201);
    });

    test('the same request under one Idempotency-Key writes one version, and another agent’s key is separate', async () => {
      const slug = aSlug();
      const ask = (by: Agent) =>
        send(mount(), 'POST', `${DOCS}/${slug}/versions`, {
          key: by.key,
          json: { body: TEXT, base_version: 0 },
          headers: { 'Idempotency-Key': slug },
        });
      const [first, again, theirs] = [await ask(use.writer), await ask(use.writer), await ask(use.other)];
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(theirs.body.version.number).toBe(2);
    });
  });
};
