import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAgent } from '../../surface/agents.ts';
import { documentsOf } from '../../surface/documents.ts';
import { IN_MEMORY, openExpressMount } from '../../surface/express-mount.ts';
import type { Mount } from '../../surface/mount.ts';

/* The clients of agent frameworks use the design MCP with a token in a static header. */

const ABOUT = { name: 'case', version: '1' };

/** More documents than fit on one page of the list. */
const DOCUMENTS = 103;

const slugOf = (n: number): string => `rule-${String(n).padStart(3, '0')}`;

type AnyClient = Pick<Client2025, 'getInstructions' | 'getServerCapabilities'> & {
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly listResources: (params?: { cursor: string }) => Promise<{
    readonly resources: readonly { readonly uri: string }[];
    readonly nextCursor?: string | undefined;
  }>;
  readonly listResourceTemplates: () => Promise<{ readonly resourceTemplates: readonly unknown[] }>;
  readonly readResource: (params: { uri: string }) => Promise<unknown>;
};

describe('the SDK’s clients at the design MCP', () => {
  let mount: Mount;
  let key: string;

  beforeAll(async () => {
    mount = await openExpressMount(IN_MEMORY);
    ({ key } = await anAgent(mount.service, 'read'));
    const { draft, submit, review } = documentsOf(mount.service);
    for (let n = 1; n <= DOCUMENTS; n++) {
      await draft(slugOf(n), 0, undefined, `# Rule ${n}\n`);
      await submit(slugOf(n), 1);
      if (n > 1) await review(slugOf(n), 1, 'approved');
    }
  });
  afterAll(async () => {
    await mount.close();
    expect(mount.faults).toEqual([]);
  });

  const address = () => new URL('/mcp', mount.urls.design);
  const requestInit = () => ({ headers: { Authorization: `Bearer ${key}` } });

  const expectAll = async (client: AnyClient): Promise<void> => {
    expect(client.getInstructions()).toContain('read_document');
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {} });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_document');
    const uris: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await client.listResources(cursor === undefined ? undefined : { cursor });
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    }
    expect(uris).toEqual(Array.from({ length: DOCUMENTS - 1 }, (_, n) => `design://documents/${slugOf(n + 2)}`));
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    const uri = `design://documents/${slugOf(7)}`;
    expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri, text: '# Rule 7\n' }] });
    await expect(client.readResource({ uri: 'design://documents/none' })).rejects.toThrow(/none/);
  };

  test('the client of the 2025 era lists tools and resources, and reads a document', async () => {
    const client = new Client2025(ABOUT);
    const transport = new Transport2025(address(), { requestInit: requestInit() });
    await client.connect(transport as Parameters<Client2025['connect']>[0]);
    await expectAll(client as AnyClient);
    await client.close();
  });

  test.each([
    ['2025-11-25', { mode: 'legacy' }],
    ['2026-07-28', { mode: { pin: '2026-07-28' } }],
  ] as const)('the 2.x client lists and reads resources in %s', async (revision, versionNegotiation) => {
    const client = new Client(ABOUT, { versionNegotiation });
    await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: requestInit() }));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    await expectAll(client as unknown as AnyClient);
    await client.close();
  });
});
