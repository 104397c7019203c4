import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { ListApiKeys } from '../../application/access/list-api-keys.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { AREAS } from '../../runtimes/composition/areas/everything.ts';
import { start } from '../../runtimes/express/start.ts';
import { FREE_PORTS } from '../support/free-ports.ts';
import { done } from '../support/outcomes.ts';
import { message2025 } from '../surface/mcp-message.ts';
import { seatsArea } from '../surface/own-area/seats.ts';

const ENVIRONMENT = {
  STORE: 'memory',
  OBJECTS: 'memory',
  ...FREE_PORTS,
};

/** The product that the demo account of the sample store owns. */
const OWNED = 4;

describe('a server with an area of a team’s own', () => {
  const opened: { stop: () => Promise<void> }[] = [];
  afterEach(() => Promise.all(opened.splice(0).map(({ stop }) => stop())));

  const open = async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const running = await start(ENVIRONMENT, { areas: [seatsArea], logger, print: () => {} });
    opened.push(running);
    const wish = { account_id: 1, name: 'test', abilities: ['device.activate', 'mcp.read'] } as const;
    const { value } = done(await running.service.get('createApiKey').execute(grantPermit(), wish));
    const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
    const send = async (method: string, path: string, body: object) => {
      const reply = await fetch(running.urls.api + path, { method, headers, body: JSON.stringify(body) });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
      return { status: reply.status, body: (await reply.json()) as any };
    };
    return { ...running, lines, send };
  };

  test('the endpoint answers on the API host, and its parts are the same for calls and for the whole service', async () => {
    const { send, service, lines } = await open();
    expect(await send('PUT', `/api/products/${OWNED}/seats`, { seats: 2 })).toEqual({
      status: 200,
      body: { seats: 2 },
    });
    expect(service.get('seats').held).toBe(2);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', endpoint: 'holdSeats', status: 200 }));
  });

  test('the reference and the account MCP have it', async () => {
    const { urls, send } = await open();
    const document = await (await fetch(`${urls.api}/openapi.json`)).json();
    expect(document).toMatchObject({ paths: { '/api/products/{product}/seats': { put: { tags: ['Seats'] } } } });
    const { body } = await send('POST', '/api/mcp?tools=seats', message2025('tools/list'));
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(['hold_seats']);
  });

  test.each(['app', 'design'] as const)('an endpoint of the %s host answers there', async (host) => {
    const { countSeats } = seatsArea.endpoints;
    const elsewhere = { ...seatsArea, endpoints: { ...seatsArea.endpoints, countSeats: { ...countSeats, host } } };
    const running = await start(ENVIRONMENT, { areas: [elsewhere], print: () => {}, logger: pino({ enabled: false }) });
    opened.push(running);
    expect(await (await fetch(`${running.urls[host]}/api/seats`)).json()).toEqual({ held: 0 });
    expect((await fetch(`${running.urls.api}/api/seats`)).status).toBe(404);
  });

  test('an area that needs a part of no area that answers calls does not compile, unless the list names that area', async () => {
    const needy = { parts: { count: ({ listApiKeys }: { listApiKeys: ListApiKeys }) => [listApiKeys] } };
    // @ts-expect-error the area of keys gives listApiKeys
    const options: Parameters<typeof start<[typeof needy]>>[1] = { areas: [needy] };
    expect(options).toBeDefined();
    const running = await start(ENVIRONMENT, {
      areas: [AREAS.keys, needy],
      print: () => {},
      logger: pino({ enabled: false }),
    });
    opened.push(running);
    expect(running.service.get('count')).toEqual([running.service.get('listApiKeys')]);
  });

  test('a start with an endpoint that would get no request fails, and says which one', async () => {
    const { countSeats } = seatsArea.endpoints;
    const astray = {
      ...seatsArea,
      endpoints: { ...seatsArea.endpoints, countSeats: { ...countSeats, path: '/docs/seats' as const } },
    };
    await expect(
      start(ENVIRONMENT, { areas: [astray], print: () => {}, logger: pino({ enabled: false }) }),
    ).rejects.toThrow('The endpoint countSeats is never asked');
  });

  test('a start with an area that answers an endpoint of ours fails, before it serves the first request', async () => {
    const handlers = (use: never) => ({ ...seatsArea.handlers(use), getLibrary: async () => ok(null) });
    const greedy = { ...seatsArea, handlers };
    await expect(
      start(ENVIRONMENT, { areas: [greedy], print: () => {}, logger: pino({ enabled: false }) }),
    ).rejects.toThrow('An area has a handler "getLibrary" without an endpoint of this name');
  });

  test('a start fails where a path of the design host, which loads late, is in the way', async () => {
    const { countSeats } = seatsArea.endpoints;
    const path = '/api/v1/screens/free' as const;
    const astray = {
      ...seatsArea,
      endpoints: { ...seatsArea.endpoints, countSeats: { ...countSeats, host: 'design' as const, path } },
    };
    await expect(
      start(ENVIRONMENT, { areas: [astray], print: () => {}, logger: pino({ enabled: false }) }),
    ).rejects.toThrow('The endpoint countSeats is in the way of getScreen');
  });
});
