import { beforeAll, describe, expect, test } from 'vitest';
import { accessKeys } from '../../../adapters/store/keys/access.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { AgentRole } from '../../../domain/access/principal.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { type Agent, anAgent } from '../agents.ts';
import { aBuyer, aKey, anAccount, type Buyer } from '../buyers.ts';
import { get, send } from '../client.ts';
import { pathOf } from '../good-requests.ts';
import { INITIALIZE, tell } from '../mcp-message.ts';
import type { Mount } from '../mount.ts';
import { all, type Choice, CREDENTIALED, callEndpoint, KEYED, OF_AGENTS } from '../requests.ts';
import { TOOL } from '../shop.ts';
import { daysAgo } from '../times.ts';

/**
 * The challenge of a 401. The account's MCP endpoint names its authorization server and the permissions to request (RFC
 * 9728); nobody signs in to the design host.
 */
const challengeOf = ({ protocol, host }: EndpointSpec, { urls }: Mount, error?: string): string => {
  const reason = error === undefined ? [] : [`error="${error}"`];
  const metadata = `resource_metadata="${urls.api}/.well-known/oauth-protected-resource/api/mcp"`;
  const signIn = host === 'api' ? ['scope="mcp.read products.read"', metadata] : [];
  const parts = protocol ? [...reason, ...signIn] : ['realm="account-api"', ...reason];
  return `Bearer ${parts.join(', ')}`.trim();
};

/** The endpoints that need no credential. All of them are listed, so that none becomes public by mistake. */
const OPEN = [
  'downloadRelease',
  'getApp',
  'getAppcast',
  'getDisclosure',
  'getDownloadPipeline',
  'getLineage',
  'getScreen',
  'getTauriUpdate',
  'getTaxonomy',
  'listLineages',
  'listPatterns',
  'listScreens',
  'openUpdateFile',
  'reportError',
  'startTrial',
];

/** Tests that an endpoint refuses a request without a live key. */
export const credentialsSuite = (mount: () => Mount, choice: Choice = all): void => {
  const asked = choice(CREDENTIALED);
  let buyer: Buyer;
  const invalid: Record<'key' | 'agent', Record<string, string>> = { key: {}, agent: {} };

  beforeAll(async () => {
    const { service } = mount();
    buyer = await aBuyer(service);
    const account = await anAccount(service, { entitlements: [{ product_id: TOOL }] });
    const revoked = await aKey(service, account);
    await service.get('revokeApiKey')(grantPermit(), { key_id: revoked.key.id });
    const expired = await aKey(service, account);
    const data = { ...expired.key, expires_at: daysAgo(1) };
    await service.get('table').put(itemOf(accessKeys.apiKey(expired.key.hash), data));
    const unknown = service.get('keySecrets').mint().value;
    const mistyped = buyer.key.slice(0, -1) + (buyer.key.endsWith('0') ? '1' : '0');
    const agent = await anAgent(service, 'read');
    Object.assign(invalid.key, {
      'the token of an agent': `Bearer ${agent.key}`,
      'no key at all': 'Bearer nonsense',
      'an unknown key': `Bearer ${unknown}`,
      'a mistyped key': `Bearer ${mistyped}`,
      'a key cut short': `Bearer ${buyer.key.slice(0, 40)}`,
      'a revoked key': `Bearer ${revoked.value}`,
      'an expired key': `Bearer ${expired.value}`,
      'two keys': `Bearer ${buyer.key} ${buyer.key}`,
      'a key without a scheme': buyer.key,
      'a Basic header': `Basic ${Buffer.from(`${buyer.key}:`).toString('base64')}`,
      'a scheme alone': 'Bearer',
    });
    const ended = await anAgent(service, 'read');
    await service.get('revokeAgentToken')(grantPermit(), { token_id: ended.id });
    Object.assign(invalid.agent, {
      'the key of an account': `Bearer ${buyer.key}`,
      'no token at all': 'Bearer nonsense',
      'an unknown token': `Bearer ${service.get('agentTokenSecrets').mint().value}`,
      'a mistyped token': `Bearer ${agent.key.slice(0, -1)}${agent.key.endsWith('0') ? '1' : '0'}`,
      'a token cut short': `Bearer ${agent.key.slice(0, 40)}`,
      'a token with the prefix of a key': `Bearer ${agent.key.replace('agt_', 'svc_')}`,
      'a revoked token': `Bearer ${ended.key}`,
      'two tokens': `Bearer ${agent.key} ${agent.key}`,
      'a token without a scheme': agent.key,
      'a Basic header': `Basic ${Buffer.from(`${agent.key}:`).toString('base64')}`,
    });
  });

  test('only the intended endpoints answer without a credential', () => {
    const open = allEndpoints.filter((endpoint) => !CREDENTIALED.includes(endpoint)).map(({ id }) => id);
    expect(open.toSorted()).toEqual(OPEN.toSorted());
  });

  test.each(asked)('$method $path without a credential is 401 missing_api_key', async (endpoint) => {
    const reply = await callEndpoint(mount(), endpoint, {});
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({ message: expect.any(String), error: 'missing_api_key' });
    expect(reply.headers.get('www-authenticate')).toBe(challengeOf(endpoint, mount()));
  });

  test.each(asked)('$method $path with the credential of no live caller is 401 invalid_api_key', async (endpoint) => {
    const refused = Object.entries(endpoint.access.credential === 'agent' ? invalid.agent : invalid.key);
    expect(refused.length).toBeGreaterThan(9);
    for (const [what, authorization] of refused) {
      const reply = await callEndpoint(mount(), endpoint, { headers: { authorization } });
      expect(reply.status, what).toBe(401);
      expect(reply.body, what).toEqual({ message: expect.any(String), error: 'invalid_api_key' });
      expect(reply.headers.get('www-authenticate')).toBe(challengeOf(endpoint, mount(), 'invalid_token'));
    }
  });

  test.each(
    asked,
  )('$method $path without a credential gets the same response for an unknown and a known target', async (endpoint) => {
    const known = await callEndpoint(mount(), endpoint, {});
    const unknown = await callEndpoint(mount(), endpoint, { product: 999 });
    expect(unknown.text).toBe(known.text);
  });

  test('the refusals of an agent endpoint mention tokens, with the codes for keys', async () => {
    const [endpoint] = OF_AGENTS as [EndpointSpec];
    const missing = await callEndpoint(mount(), endpoint, {});
    const unknown = await callEndpoint(mount(), endpoint, { key: 'nonsense' });
    expect([missing.body.error, unknown.body.error]).toEqual(['missing_api_key', 'invalid_api_key']);
    for (const { body } of [missing, unknown]) {
      expect(body.message).toContain('agent token');
      expect(body.message).not.toContain('key');
    }
  });

  test('a revoked agent token is refused from the next request on, and the agent’s other token stays valid', async () => {
    const { service } = mount();
    const [endpoint] = OF_AGENTS as [EndpointSpec];
    const { role } = endpoint.access as { role: AgentRole };
    const [kept, lost] = [await anAgent(service, role), await anAgent(service, role)];
    const status = async ({ key }: Agent) => (await callEndpoint(mount(), endpoint, { key })).status;
    expect(await status(lost)).not.toBe(401);
    await service.get('revokeAgentToken')(grantPermit(), { token_id: lost.id });
    expect(await status(lost)).toBe(401);
    expect(await status(kept)).not.toBe(401);
  });

  test('a key in the query, in a cookie or in X-API-Key is ignored', async () => {
    const path = pathOf(KEYED[0] as (typeof KEYED)[number], TOOL);
    for (const name of ['api_key', 'access_token', 'key']) {
      expect((await send(mount(), 'GET', `${path}?${name}=${buyer.key}`)).status).toBe(401);
    }
    expect((await send(mount(), 'GET', path, { headers: { 'X-API-Key': buyer.key } })).status).toBe(401);
    expect((await send(mount(), 'GET', path, { headers: { cookie: `key=${buyer.key}` } })).status).toBe(401);
  });

  test.each([
    ['the key alone', (key: string) => key],
    ['Token', (key: string) => `Token ${key}`],
    ['a colon', (key: string) => `Bearer: ${key}`],
    ['quotes', (key: string) => `Bearer "${key}"`],
    ['brackets', (key: string) => `Bearer <${key}>`],
    ['two keys', (key: string) => `Bearer ${key} ${key}`],
  ])('a header with %s gets advice to write "Bearer " before the key, from the API and from MCP', async (_, write) => {
    const headers = { authorization: write(buyer.key) };
    const asked = [
      await get(mount(), '/api/library', undefined, headers),
      await tell(mount(), INITIALIZE, { headers }),
    ];
    for (const { status, body, text } of asked) {
      expect([status, body.error]).toEqual([401, 'invalid_api_key']);
      expect(body.message).toContain('Write "Bearer " before the key');
      expect(text).not.toContain(buyer.key);
    }
  });

  test('a header with only the agent token gets advice to write "Bearer " before it', async () => {
    const agent = await anAgent(mount().service, 'read');
    const { status, body } = await get(mount(), '/api/agent/manifest', undefined, { authorization: agent.key });
    expect([status, body.error]).toEqual([401, 'invalid_api_key']);
    expect(body.message).toContain('Write "Bearer " before the agent token');
    expect(JSON.stringify(body)).not.toContain(agent.key);
  });

  test('the Bearer scheme is accepted in any letter case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const reply = await get(mount(), '/api/library', undefined, { authorization: `${scheme} ${buyer.key}` });
      expect(reply.status).toBe(200);
    }
  });

  describe('a stored key', () => {
    test('the account’s partition in the store never contains the value of a key', async () => {
      const { account, key } = await aBuyer(mount().service);
      await get(mount(), '/api/library', key);
      const page = await mount()
        .service.get('table')
        .query({ pk: `ACCOUNT#${account}` });
      expect(page.items.length).toBeGreaterThan(2);
      expect(JSON.stringify(page)).not.toContain(key);
    });
  });
};
