import { describe, expect, test } from 'vitest';
import { checkCaller, permits } from '../../adapters/pipeline/guard.ts';
import { type Identifier, Identify } from '../../adapters/pipeline/identify.ts';
import {
  type AccountPrincipal,
  type AgentPrincipal,
  ANYONE,
  type Principal,
  principalOfKey,
} from '../../domain/access/principal.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { AccessRule, EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { anApiKey } from '../support/builders.ts';

const endpointOf = (access: AccessRule, more: Partial<EndpointSpec> = {}): EndpointSpec => ({
  id: 'anEndpoint',
  host: 'api',
  method: 'POST',
  path: '/an-endpoint',
  access,
  output: { kind: 'empty', status: 204 },
  refusals: [],
  ...more,
});

const ABLE = ['products.read'] as const;
const tokenOf = (more: Partial<AccountPrincipal> = {}): AccountPrincipal => ({
  kind: 'account',
  account_id: 1,
  abilities: ABLE,
  product_id: null,
  credential: { kind: 'token', client_id: 'client' },
  ...more,
});
const agentOf = (role: AgentPrincipal['role']): AgentPrincipal => ({ kind: 'agent', id: 1, role, name: 'Agent' });

const PRINCIPALS = {
  anyone: ANYONE,
  'an unbound key': principalOfKey(anApiKey({ abilities: ABLE })),
  'a bound key': principalOfKey(anApiKey({ abilities: ABLE, product_id: 1 })),
  'a key without abilities': principalOfKey(anApiKey({ abilities: [] })),
  'an unbound token': tokenOf(),
  'a bound token': tokenOf({ product_id: 1 }),
  'a token without abilities': tokenOf({ abilities: [] }),
  'a reading agent': agentOf('read'),
  'a writing agent': agentOf('write'),
} satisfies Record<string, Principal>;

const RULES = {
  none: endpointOf({ credential: 'none' }),
  gallery: endpointOf({ credential: 'gallery' }),
  'an optional key': endpointOf({ credential: 'key?' }),
  'an optional key with an ability': endpointOf({ credential: 'key?', keyAbility: 'products.read' }),
  'any key': endpointOf({ credential: 'key' }),
  'a key with an ability': endpointOf({ credential: 'key', ability: 'products.read' }),
  'a key that it acts on': endpointOf({ credential: 'key' }, { actsOnKey: true }),
  'a bound key that it acts on': endpointOf(
    { credential: 'key', ability: 'products.read', requires: ['scoped'] },
    { actsOnKey: true },
  ),
  'a bound key': endpointOf({ credential: 'key', ability: 'products.read', requires: ['scoped'] }),
  'a key and an entitlement': endpointOf({ credential: 'key', requires: ['entitlement'] }),
  'a reading agent': endpointOf({ credential: 'agent', role: 'read' }),
} satisfies Record<string, EndpointSpec>;

/**
 * y: let through. c: another credential is needed. a: an ability or a role lacks. s: let through, but must be bound.
 */
type Verdict = 'y' | 'c' | 'a' | 's';

const OUTCOMES = {
  y: { caller: ok(null), permitted: true },
  c: { caller: refuse('invalid_api_key'), permitted: false },
  a: {
    caller: {
      ok: false,
      code: 'missing_api_key_ability',
      message: expect.stringMatching(/^This (key|agent token) lacks/),
    },
    permitted: false,
  },
  s: { caller: ok(null), permitted: false },
};

/** By rule, the verdict on each principal in the order of `PRINCIPALS`. */
const TABLE: Record<keyof typeof RULES, string> = {
  // any, unbound key, bound key, unable key, unbound token, bound token, unable token, reading agent, writing agent
  none: 'yyyyyyyyy',
  gallery: 'yyyyyyyyy',
  'an optional key': 'yyyyyyycc',
  'an optional key with an ability': 'yyyayyacc',
  'any key': 'cyyyyyycc',
  'a key with an ability': 'cyyayyacc',
  'a key that it acts on': 'cyyyccccc',
  'a bound key that it acts on': 'csyaccccc',
  'a bound key': 'csyasyacc',
  'a key and an entitlement': 'cyyyyyycc',
  'a reading agent': 'cccccccya',
};

const CASES = Object.entries(TABLE).flatMap(([rule, row]) =>
  Object.entries(PRINCIPALS).map(([name, principal], n) => ({
    name,
    rule,
    principal,
    endpoint: RULES[rule as keyof typeof RULES],
    outcome: OUTCOMES[row[n] as Verdict],
    what: { y: 'is let through', c: 'needs another credential', a: 'lacks an ability', s: 'has to be bound' }[
      row[n] as Verdict
    ],
  })),
);

describe('the gates that need nothing but the caller', () => {
  test.each(CASES)('the principal "$name" $what where an endpoint demands "$rule"', ({
    principal,
    endpoint,
    outcome,
  }) => {
    expect(checkCaller(endpoint, principal)).toEqual(outcome.caller);
    expect(permits(principal, endpoint)).toBe(outcome.permitted);
  });
});

/** Answers for each credential, and keeps those that it was asked about. */
const identifierOf = (principal: Principal) => {
  const asked: string[] = [];
  const identifier: Identifier = async (credential) => {
    asked.push(credential);
    return credential === 'good' ? ok(principal) : refuse('invalid_api_key');
  };
  return { asked, identifier };
};

const identifying = (kinds: readonly ('key' | 'agent')[] = ['key', 'agent']) => {
  const key = identifierOf(PRINCIPALS['an unbound key']);
  const agent = identifierOf(PRINCIPALS['a reading agent']);
  const identify = new Identify({
    key: key.identifier,
    ...(kinds.includes('agent') && { agent: agent.identifier }),
  });
  return { identify, key, agent };
};

describe('the identification of a caller', () => {
  type Asked = 'key' | 'agent' | null;
  const KEY = ok(PRINCIPALS['an unbound key']);
  const AGENT = ok(PRINCIPALS['a reading agent']);
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
    ['key?', 'Bearer good', KEY, 'key'],
    ['key', undefined, MISSING, null],
    ['key', '', MISSING, null],
    ['key', 'Basic !', MALFORMED, null],
    ['key', 'Bearer bad', INVALID, 'key'],
    ['key', 'Bearer good', KEY, 'key'],
    ['agent', undefined, NO_TOKEN, null],
    ['agent', 'Basic !', BAD_TOKEN, null],
    ['agent', 'Bearer bad', BAD_TOKEN, 'agent'],
    ['agent', 'Bearer good', AGENT, 'agent'],
  ])('the credential rule "%s" with the header %j gives %j and asks the identifier %s', async (credential, header, outcome, asked) => {
    const { identify, key, agent } = identifying();
    const access: AccessRule = credential === 'agent' ? { credential, role: 'read' } : { credential };
    expect(await identify.execute(endpointOf(access), header)).toEqual(outcome);
    const value = header?.split(' ')[1];
    expect([key.asked, agent.asked]).toEqual([asked === 'key' ? [value] : [], asked === 'agent' ? [value] : []]);
  });

  test('a service that cannot identify agents refuses to serve an endpoint for agents', async () => {
    const { identify } = identifying(['key']);
    expect(() => identify.check(RULES['a reading agent'])).toThrow(
      'anEndpoint takes the credential "agent", which this service can\'t identify.',
    );
    expect(await identify.execute(RULES['a reading agent'], 'Bearer good')).toEqual(BAD_TOKEN);
  });

  test('a service serves every endpoint whose callers it can identify', () => {
    const { 'a reading agent': agents, ...others } = RULES;
    for (const endpoint of Object.values(others)) identifying(['key']).identify.check(endpoint);
    identifying().identify.check(agents);
  });
});
