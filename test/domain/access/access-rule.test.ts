import { describe, expect, test } from 'vitest';
import { type AccessRule, checkCaller, type Guarded, permits } from '../../../domain/access/access-rule.ts';
import {
  type AccountPrincipal,
  type AgentPrincipal,
  ANYONE,
  type Principal,
  principalOfKey,
} from '../../../domain/access/principal.ts';
import { ok, refuse } from '../../../domain/shared/outcome.ts';
import { anApiKey } from '../../support/builders.ts';

const endpointOf = (access: AccessRule, more: Partial<Guarded> = {}): Guarded => ({ access, ...more });

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
} satisfies Record<string, Guarded>;

/** y: passes. c: another credential is needed. a: an ability or a role is missing. s: passes, but must be bound. */
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

/** The verdict of each rule on each principal, in the order of `PRINCIPALS`. */
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

describe('access rules that depend only on the caller', () => {
  test.each(CASES)('the principal "$name" $what where an endpoint demands "$rule"', ({
    principal,
    endpoint,
    outcome,
  }) => {
    expect(checkCaller(endpoint, principal)).toEqual(outcome.caller);
    expect(permits(principal, endpoint)).toBe(outcome.permitted);
  });
});
