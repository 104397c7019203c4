import { describe, expect, test } from 'vitest';
import { type Identifier, Identify } from '../../adapters/pipeline/identify.ts';
import type { AccessRule } from '../../domain/access/access-rule.ts';
import { type AgentPrincipal, ANYONE, type Principal, principalOfKey } from '../../domain/access/principal.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { anApiKey } from '../support/builders.ts';

const endpointOf = (access: AccessRule): EndpointSpec => ({
  id: 'anEndpoint',
  host: 'api',
  method: 'POST',
  path: '/an-endpoint',
  access,
  output: { kind: 'empty', status: 204 },
  refusals: [],
});

const KEY = principalOfKey(anApiKey({ abilities: ['products.read'] }));
const AGENT: AgentPrincipal = { kind: 'agent', id: 1, role: 'read', name: 'Agent' };
const OF_AGENTS = endpointOf({ credential: 'agent', role: 'read' });

/** Returns this principal for each credential, and records the credentials. */
const identifierOf = (principal: Principal) => {
  const asked: string[] = [];
  const identifier: Identifier = async (credential) => {
    asked.push(credential);
    return credential === 'good' ? ok(principal) : refuse('invalid_api_key');
  };
  return { asked, identifier };
};

const identifying = (kinds: readonly ('key' | 'agent')[] = ['key', 'agent']) => {
  const key = identifierOf(KEY);
  const agent = identifierOf(AGENT);
  const identify = new Identify({
    key: key.identifier,
    ...(kinds.includes('agent') && { agent: agent.identifier }),
  });
  return { identify, key, agent };
};

describe('the identification of a caller', () => {
  type Asked = 'key' | 'agent' | null;
  const NOBODY = ok(ANYONE);
  const MISSING = refuse('missing_api_key');
  const INVALID = refuse('invalid_api_key');
  const MALFORMED = { ...INVALID, message: expect.stringContaining('Write "Bearer " before the key') };
  const inWordsOfAgents = (code: 'missing_api_key' | 'invalid_api_key') =>
    refuse(code, { message: expect.stringContaining('agent token') });
  const NO_TOKEN = inWordsOfAgents('missing_api_key');
  const BAD_TOKEN = inWordsOfAgents('invalid_api_key');

  test.each<[AccessRule['credential'], string | undefined, unknown, Asked]>([
    ['none', undefined, NOBODY, null],
    ['none', 'Bearer good', NOBODY, null],
    ['none', 'Basic !', NOBODY, null],
    ['gallery', undefined, NOBODY, null],
    ['gallery', 'Bearer bad', NOBODY, null],
    ['key?', undefined, NOBODY, null],
    ['key?', '', MISSING, null],
    ['key?', 'Basic !', MALFORMED, null],
    ['key?', 'Bearer bad', INVALID, 'key'],
    ['key?', 'Bearer good', ok(KEY), 'key'],
    ['key', undefined, MISSING, null],
    ['key', '', MISSING, null],
    ['key', 'Basic !', MALFORMED, null],
    ['key', 'Bearer bad', INVALID, 'key'],
    ['key', 'Bearer good', ok(KEY), 'key'],
    ['agent', undefined, NO_TOKEN, null],
    ['agent', 'Basic !', BAD_TOKEN, null],
    ['agent', 'Bearer bad', BAD_TOKEN, 'agent'],
    ['agent', 'Bearer good', ok(AGENT), 'agent'],
  ])('the credential rule "%s" with the header %j gives %j and asks the identifier %s', async (credential, header, outcome, asked) => {
    const { identify, key, agent } = identifying();
    const access: AccessRule = credential === 'agent' ? { credential, role: 'read' } : { credential };
    expect(await identify.execute(endpointOf(access), header)).toEqual(outcome);
    const value = header?.split(' ')[1];
    expect([key.asked, agent.asked]).toEqual([asked === 'key' ? [value] : [], asked === 'agent' ? [value] : []]);
  });

  test('a service that can’t identify agents refuses to serve an endpoint for agents', async () => {
    const { identify } = identifying(['key']);
    expect(() => identify.check(OF_AGENTS)).toThrow(
      'anEndpoint takes the credential "agent", which this service can\'t identify.',
    );
    expect(await identify.execute(OF_AGENTS, 'Bearer good')).toEqual(BAD_TOKEN);
  });

  test('a service serves every endpoint whose callers it can identify', () => {
    for (const credential of ['none', 'gallery', 'key?', 'key'] as const) {
      identifying(['key']).identify.check(endpointOf({ credential }));
    }
    identifying().identify.check(OF_AGENTS);
  });
});
