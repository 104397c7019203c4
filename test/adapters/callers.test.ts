import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { endpointRoutes } from '../../adapters/host/endpoint-routes.ts';
import { createHost, type HostFunction } from '../../adapters/host/host.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import type { AnyCall } from '../../adapters/pipeline/handler.ts';
import type { Identifiers } from '../../adapters/pipeline/identify.ts';
import { bodyAtHand, type RawInput } from '../../adapters/pipeline/input.ts';
import { ABILITIES } from '../../domain/access/abilities.ts';
import type { AccountPrincipal, AgentPrincipal } from '../../domain/access/principal.ts';
import { ownerOf } from '../../domain/access/rate-limit.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { getLibrary } from '../../ports/inbound/api/catalog.ts';
import { uploadUsage } from '../../ports/inbound/api/devices.ts';
import { type EndpointSpec, endpoint } from '../../ports/inbound/endpoint.ts';
import { pathId } from '../../ports/inbound/fields.ts';
import { byHost } from '../../ports/inbound/hosts.ts';
import { AREAS, EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { memoryEngines, SETTINGS } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';

const AGENT: AgentPrincipal = { kind: 'agent', id: 7, role: 'read', name: 'reader' };

const API = 'http://127.0.0.1';

/** Knows one agent by its token, and no account by a key. */
const identifiers: Identifiers = {
  key: async () => refuse('invalid_api_key'),
  agent: async (token) => (token === 'agent-token' ? ok(AGENT) : refuse('invalid_api_key')),
};

const design = { host: 'design', method: 'GET', output: { kind: 'json', status: 200 }, refusals: [] } as const;

/** Endpoints like those of the design host: one for agents with a role, and one of the public gallery. */
const READ = endpoint({
  ...design,
  id: 'read',
  path: '/api/agent/docs',
  access: { credential: 'agent', role: 'read' },
});
const WRITE = endpoint({
  ...design,
  id: 'write',
  method: 'POST',
  path: '/api/agent/docs',
  access: { credential: 'agent', role: 'write' },
});
const SCREEN = endpoint({
  ...design,
  id: 'screen',
  path: '/api/v1/screens/{id}',
  params: () => z.object({ id: pathId('id of the screen') }),
  access: { credential: 'gallery' },
});
const ENDPOINTS: readonly EndpointSpec[] = [READ, WRITE, SCREEN];

/** An area as a team would add one: endpoints with handlers, and no parts. */
const gallery = {
  parts: {},
  handlers: () => ({
    read: async ({ caller }: AnyCall) => ok({ caller }),
    write: async ({ caller }: AnyCall) => ok({ caller }),
    screen: async ({ caller, params }: AnyCall) => ok({ caller, params }),
  }),
};

describe('callers without an account', () => {
  let host: HostFunction;
  const logged: unknown[] = [];

  beforeEach(() => {
    const urls = byHost(() => API);
    const settings = { urls, perAccount: 120, perAgent: 3, perAddress: 2, catalogAge: 'unbounded' } as const;
    const service = bootstrap(settings, memoryEngines(), [...EVERY_AREA, gallery], { identifiers });
    const intake = { spool: new SpoolFolder(tmpdir()), jsonBodies: service.get('jsonBodies') };
    host = createHost(endpointRoutes(ENDPOINTS, service.get('invoker'), intake), {
      log: ({ answered }) => void logged.push(answered),
      fault: (error) => {
        throw error;
      },
      health: async () => {},
    });
  });

  const ask = async (method: string, path: string, authorization?: string) => {
    const reply = await host.handle({
      method,
      path,
      query: '',
      headers: { authorization },
      address: () => '203.0.113.7',
      length: 0,
      body: () => new Uint8Array(),
    });
    return { status: reply.status, body: JSON.parse(String(reply.body)) };
  };

  test('an agent with the endpoint’s role is answered, and the handler knows the agent', async () => {
    expect(await ask('GET', '/api/agent/docs', 'Bearer agent-token')).toEqual({ status: 200, body: { caller: AGENT } });
  });

  test('an agent without the endpoint’s role is 403', async () => {
    const { status, body } = await ask('POST', '/api/agent/docs', 'Bearer agent-token');
    expect([status, body.message]).toEqual([403, 'This agent token lacks the role write; it has the role read.']);
  });

  test.each([
    [undefined, 'missing_api_key'],
    ['Bearer another', 'invalid_api_key'],
    ['Basic agent-token', 'invalid_api_key'],
  ])('an agent endpoint answers the credential %s with 401 %s', async (authorization, error) => {
    const reply = await ask('GET', '/api/agent/docs', authorization);
    expect([reply.status, reply.body.error]).toEqual([401, error]);
  });

  test('the log names the agent of a request, and nobody for a refused credential', async () => {
    logged.length = 0;
    await ask('GET', '/api/agent/docs', 'Bearer agent-token');
    await ask('GET', '/api/agent/docs', 'Bearer nonsense');
    await ask('GET', '/api/v1/screens/4');
    expect(logged).toEqual([
      { endpoint: 'read', accountId: null, agentId: AGENT.id, code: null },
      { endpoint: 'read', accountId: null, code: 'invalid_api_key' },
      { endpoint: 'screen', accountId: null, code: null },
    ]);
  });

  test('an agent has its own rate limit', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await ask('GET', '/api/agent/docs', 'Bearer agent-token')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await ask('GET', '/api/v1/screens/4')).status).toBe(200);
  });

  test('a gallery endpoint answers everybody and ignores credentials', async () => {
    const screen = { status: 200, body: { caller: { kind: 'anyone' }, params: { id: 4 } } };
    expect(await ask('GET', '/api/v1/screens/4')).toEqual(screen);
    expect(await ask('GET', '/api/v1/screens/4', 'Bearer nonsense')).toEqual(screen);
    expect((await ask('GET', '/api/v1/screens/4')).status).toBe(429);
  });

  test('a service without agents serves no endpoint for them', () => {
    const service = bootstrap(SETTINGS, memoryEngines(), [AREAS.billing]);
    const intake = { spool: new SpoolFolder(tmpdir()), jsonBodies: service.get('jsonBodies') };
    const serve = () => endpointRoutes([READ], service.get('invoker'), intake);
    expect(serve).toThrow('read takes the credential "agent", which this service can\'t identify.');
  });
});

describe('a caller identified once', () => {
  const token = (abilities: AccountPrincipal['abilities']): AccountPrincipal => ({
    kind: 'account',
    account_id: 1,
    abilities,
    product_id: null,
    credential: { kind: 'token', client_id: 'client' },
  });
  const raw: RawInput = { params: {}, query: {}, body: bodyAtHand({}), locale: 'en' };
  const address = () => '203.0.113.7';
  const from = (principal: AccountPrincipal) => ({ principal, address, owner: ownerOf(principal, address) });
  let service: Service;

  beforeEach(() => {
    service = memoryService();
  });

  test('a caller who was identified once can call many endpoints, each with its own guards', async () => {
    const invoker = service.get('invoker');
    const caller = from(token(['products.read']));
    expect((await invoker.invoke(getLibrary, raw, caller)).outcome).toEqual(ok({ items: [] }));
    expect((await invoker.invoke(getLibrary, raw, caller)).outcome).toEqual(ok({ items: [] }));
    const { outcome, rate } = await invoker.invoke(uploadUsage, raw, caller);
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_api_key' });
    expect(rate.limit - rate.remaining).toBe(3);
  });

  test('a sign-in token can’t call an endpoint about the calling key, whatever its permissions', async () => {
    const { outcome } = await service.get('invoker').invoke(uploadUsage, raw, from(token(ABILITIES)));
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_api_key' });
  });
});
