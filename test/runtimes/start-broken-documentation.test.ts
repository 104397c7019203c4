import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { start } from '../../runtimes/express/start.ts';
import { FREE_PORTS } from '../support/free-ports.ts';
import { done } from '../support/outcomes.ts';
import { message2025 } from '../surface/mcp-message.ts';
import { overreaching, unloadable, withoutToolTexts, withTakenSchema } from '../surface/own-area/broken.ts';
import { seatsArea } from '../surface/own-area/seats.ts';

const ENVIRONMENT = { STORE: 'memory', OBJECTS: 'memory', ...FREE_PORTS };

type Document = { paths: Record<string, unknown>; tags: unknown[] };

/** A team's mistake in its documentation costs its own endpoint a place there, and nothing of this package. */
describe('a server with an area whose documentation is broken', () => {
  let running: { urls: { api: string }; stop: () => Promise<void> };
  let headers: Record<string, string>;
  const lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const areas = [withTakenSchema, withoutToolTexts, unloadable, seatsArea] as never;
    const started = await start(ENVIRONMENT, { areas, logger, print: () => {} });
    running = started;
    const wish = { account_id: 1, name: 'test', abilities: ['device.activate', 'products.read', 'mcp.read'] } as const;
    const { value } = done(await started.service.get('createApiKey').execute(grantPermit(), wish));
    headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
  });
  afterAll(() => running.stop());

  const faults = () => lines.map(({ err }) => (err as { message?: string } | undefined)?.message ?? '');
  const listed = async (): Promise<string[]> => {
    const body = JSON.stringify(message2025('tools/list'));
    const reply = await fetch(`${running.urls.api}/api/mcp`, { method: 'POST', headers, body });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    const answer = (await reply.json()) as any;
    return answer.result.tools.map(({ name }: { name: string }) => name);
  };

  test('the endpoints answer', async () => {
    for (const id of ['takenSchema', 'untoldTool', 'unloadable']) {
      expect(await (await fetch(`${running.urls.api}/api/broken/${id}`)).json()).toEqual({ seats: 1 });
    }
  });

  test('the reference has all but the endpoints without sound documentation, and the log names those', async () => {
    const reply = await fetch(`${running.urls.api}/openapi.json`);
    const { paths } = (await reply.json()) as Document;
    const ours = openApiDocument({ ...running.urls } as never) as Document;
    expect(Object.keys(paths)).toEqual(
      [...Object.keys(ours.paths), '/api/products/{product}/seats', '/api/seats', '/api/broken/untoldTool'].toSorted(),
    );
    expect(faults()).toEqual(
      expect.arrayContaining([
        expect.stringContaining('The OpenAPI document leaves out the endpoint takenSchema.'),
        'An area’s documentation can’t be loaded.: the module has a mistake',
      ]),
    );
  });

  test('the account MCP has every tool but the one without texts, and the log says so once', async () => {
    for (const _time of [1, 2]) {
      const names = await listed();
      expect(names).toEqual(expect.arrayContaining(['list_library', 'hold_seats']));
      expect(names).not.toContain('take_seats');
    }
    expect(faults().filter((text) => text.startsWith('MCP leaves out the tool of untoldTool.'))).toHaveLength(1);
  });
});

test('documentation of a team’s own changes no text of this package', async () => {
  const running = await start(ENVIRONMENT, {
    areas: [overreaching] as never,
    logger: pino({ enabled: false }),
    print: () => {},
  });
  try {
    const document = (await (await fetch(`${running.urls.api}/openapi.json`)).json()) as Document;
    const ours = JSON.parse(JSON.stringify(openApiDocument(running.urls))) as Document;
    expect(document.tags).toEqual(ours.tags);
    expect(document.paths['/api/library']).toEqual(ours.paths['/api/library']);
    expect(document.paths['/api/products/{product}/broken']).toBeDefined();
  } finally {
    await running.stop();
  }
});
