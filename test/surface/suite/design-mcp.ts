import { beforeAll, describe, expect, test } from 'vitest';
import { permits } from '../../../domain/access/access-rule.ts';
import { AGENT_ROLES } from '../../../domain/access/principal.ts';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { type Agent, anAgent } from '../agents.ts';
import { aBuyer } from '../buyers.ts';
import { get, type Reply, type Send, send } from '../client.ts';
import { documentsOf } from '../documents.ts';
import { headers2026, INITIALIZE, message2025, message2026, REVISION_2025, REVISION_2026 } from '../mcp-message.ts';
import type { Mount } from '../mount.ts';

export const DESIGN_MCP = '/mcp';

const MARKDOWN = 'text/markdown';
const slug = 'mcp-buttons';
const FIRST = '# Buttons\n\nA button names its effect — 단추.\n';
const SECOND = '# Buttons\n\nA button names its effect, in two words.\n';

type Contents = { readonly uri: string; readonly mimeType: string; readonly text: string };

/** Tests the design MCP: its callers, its tools, and documents as resources. */
export const designMcpSuite = (mount: () => Mount): void => {
  let reader: Agent;

  const tell = (json: unknown, rest: Send = { key: reader.key }): Promise<Reply> =>
    send(mount(), 'POST', DESIGN_MCP, { json, ...rest });
  const ask = async (method: string, params: Readonly<Record<string, unknown>> = {}) =>
    (await tell(message2025(method, params))).body;
  const read = (uri: string) => ask('resources/read', { uri });
  const toolNames = async (key = reader.key): Promise<string[]> =>
    (await tell(message2025('tools/list'), { key })).body.result.tools.map(({ name }: { name: string }) => name);

  /** Every resource on the pages of the list. */
  const listed = async (): Promise<{ uri: string; title: string; mimeType: string }[]> => {
    const found = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const { result } = await ask('resources/list', cursor === undefined ? {} : { cursor });
      found.push(...result.resources);
      cursor = result.nextCursor;
    }
    return found;
  };

  beforeAll(async () => {
    reader = await anAgent(mount().service, 'read');
    const { draft, submit, review } = documentsOf(mount().service);
    const author = { id: 1, name: 'writer' };
    await draft(slug, 0, author, FIRST);
    await submit(slug, 1);
    await review(slug, 1, 'approved');
    await draft(slug, 1, author, SECOND);
    await submit(slug, 2);
    await draft(slug, 1, author, '# A draft\n');
    await draft('mcp-only-a-draft', 0, author, '# Another draft\n');
  });

  describe('the callers of the design MCP', () => {
    test('a reader agent can initialize and learns of tools and resources', async () => {
      const { status, body } = await tell(INITIALIZE);
      expect(status).toBe(200);
      expect(body.result).toMatchObject({
        protocolVersion: REVISION_2025,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'design-host' },
      });
      expect(body.result.instructions).toContain('design://documents/');
    });

    test('the design MCP is discovered in revision 2026-07-28 with the same capabilities', async () => {
      const { status, body } = await tell(message2026('server/discover'), {
        key: reader.key,
        headers: headers2026('server/discover'),
      });
      expect(status).toBe(200);
      expect(body.result.supportedVersions).toContain(REVISION_2026);
      expect(body.result.capabilities).toMatchObject({ tools: {}, resources: {} });
    });

    test.each(
      AGENT_ROLES.filter((role) => role !== 'read'),
    )('an agent with the role %s is 403 at the design MCP, whatever it requests', async (role) => {
      const { key } = await anAgent(mount().service, role);
      for (const message of [INITIALIZE, message2025('tools/list'), message2025('resources/list')]) {
        const reply = await tell(message, { key });
        expect([reply.status, reply.body.error]).toEqual([403, 'missing_api_key_ability']);
        expect(reply.body.message).toContain('read');
      }
    });

    test('the key of an account is 401 at the design MCP, and an agent token is 401 at the account MCP', async () => {
      const { key } = await aBuyer(mount().service);
      const reply = await tell(INITIALIZE, { key });
      expect([reply.status, reply.body.error]).toEqual([401, 'invalid_api_key']);
      expect(reply.body.message).toContain('agent token');
      const other = await send(mount(), 'POST', '/api/mcp', { json: INITIALIZE, key: reader.key });
      expect(other.status).toBe(401);
    });

    test('the challenge of the design MCP names no place to sign in', async () => {
      const without = await tell(INITIALIZE, {});
      expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      const wrong = await tell(INITIALIZE, { key: 'agt_none' });
      expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    });

    test.each([
      '1999-01-01',
      '2027-01-01',
      'latest',
    ])('the protocol version %s is 400 at the design MCP', async (one) => {
      for (const method of ['ping', 'tools/list', 'resources/list']) {
        const reply = await tell(message2025(method), { key: reader.key, headers: { 'MCP-Protocol-Version': one } });
        expect([reply.status, reply.body.jsonrpc]).toEqual([400, '2.0']);
      }
    });

    test('a page of another origin is 403 at the design MCP', async () => {
      const reply = await tell(INITIALIZE, { key: reader.key, headers: { origin: 'https://evil.example.com' } });
      expect(reply.status).toBe(403);
    });
  });

  describe('the tools of the design MCP', () => {
    test('the tools of the design MCP are those that a reader may call on the design host', async () => {
      const principal = { kind: 'agent', id: 1, role: 'read', name: 'reader' } as const;
      const expected = allEndpoints.filter((one) => one.host === 'design' && one.tool && permits(principal, one));
      const names = await toolNames();
      expect(names.toSorted()).toEqual(expected.map(({ tool }) => tool?.name ?? '').toSorted());
      expect(names).toContain('read_document');
    });

    test('the account MCP has no tool and no document of the design host', async () => {
      const { key } = await aBuyer(mount().service);
      const { body } = await send(mount(), 'POST', '/api/mcp', { json: message2025('tools/list'), key });
      const names = body.result.tools.map(({ name }: { name: string }) => name);
      expect(names).toContain('list_library');
      expect(names.filter((name: string) => /document|screen/.test(name))).toEqual([]);
      const listed = await send(mount(), 'POST', '/api/mcp', { json: message2025('resources/list'), key });
      expect(JSON.stringify(listed.body.result)).not.toContain('design://');
    });

    test('a tool gives the same answer as its endpoint, in both revisions', async () => {
      const plain = (await get(mount(), `/api/agent/docs/${slug}`, reader.key)).body;
      const params = { name: 'read_document', arguments: { slug } };
      const older = (await tell(message2025('tools/call', params))).body;
      expect(older.result.structuredContent).toEqual(plain);
      const newer = await tell(message2026('tools/call', params), {
        key: reader.key,
        headers: headers2026('tools/call', 'read_document'),
      });
      expect(newer.body.result.structuredContent).toEqual(plain);
    });

    test('an unknown document is an error that says where to find slugs', async () => {
      const { result } = await ask('tools/call', { name: 'read_document', arguments: { slug: 'none' } });
      expect(result.isError).toBe(true);
      expect(result.content[0].text).toContain('list_documents');
    });
  });

  describe('documents as resources', () => {
    test('the resource list has every document with a current version and no draft', async () => {
      const found = await listed();
      expect(found).toContainEqual(
        expect.objectContaining({
          uri: `design://documents/${slug}`,
          name: slug,
          title: 'Buttons',
          mimeType: MARKDOWN,
        }),
      );
      expect(found.map(({ uri }) => uri)).not.toContain('design://documents/mcp-only-a-draft');
      expect(new Set(found.map(({ uri }) => uri)).size).toBe(found.length);
    });

    test('the templates name the URIs of a document and of a version', async () => {
      const { resourceTemplates } = (await ask('resources/templates/list')).result;
      expect(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual([
        'design://documents/{slug}',
        'design://documents/{slug}/versions/{number}',
      ]);
    });

    test.each([
      ['the current version', `design://documents/${slug}`, FIRST],
      ['a version by its number', `design://documents/${slug}/versions/1`, FIRST],
      ['a version that waits for a verdict', `design://documents/${slug}/versions/2`, SECOND],
    ])('the resource %s is read as its Markdown', async (_, uri, text) => {
      const { contents } = (await read(uri)).result;
      expect(contents).toEqual([{ uri, mimeType: MARKDOWN, text }]);
    });

    test('a resource is read in revision 2026-07-28 as in the previous one', async () => {
      const uri = `design://documents/${slug}`;
      const { status, body } = await tell(message2026('resources/read', { uri }), {
        key: reader.key,
        headers: headers2026('resources/read', uri),
      });
      expect(status).toBe(200);
      expect((body.result.contents as Contents[])[0]?.text).toBe(FIRST);
    });

    test.each([
      ['a draft', `design://documents/${slug}/versions/3`],
      ['a document of drafts alone', 'design://documents/mcp-only-a-draft'],
      ['a version that is not there', `design://documents/${slug}/versions/99`],
      ['a document that is not there', 'design://documents/none'],
      ['a number with a zero before it', `design://documents/${slug}/versions/01`],
      ['a path', 'design://documents/../manifest'],
      ['an encoded slug', 'design://documents/mcp%2Dbuttons'],
      ['another scheme', `https://documents/${slug}`],
      ['a query', `design://documents/${slug}?version=3`],
      ['nothing', ''],
    ])('the resource %s is not found, and the error repeats the URI', async (_, uri) => {
      const { error } = await read(uri);
      expect([error.code, error.data]).toEqual([-32_602, { uri }]);
      expect(error.message.length).toBeGreaterThan(20);
    });

    test.each(['', '0', '-1', 'x', '1e3', '999999'])('the forged cursor %j is refused', async (cursor) => {
      const { error } = await ask('resources/list', { cursor });
      expect(error.code).toBe(-32_602);
    });

    test('a page after the last one is empty', async () => {
      expect((await ask('resources/list', { cursor: '9999' })).result).toEqual({ resources: [] });
    });
  });
};
