import { beforeEach, describe, expect, test } from 'vitest';
import { bodyAtHand } from '../../adapters/pipeline/input.ts';
import { SERVICE } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { type MemberPrincipal, SHOP_ROLES, type ShopRole } from '../../domain/access/principal.ts';
import { ownerOf } from '../../domain/access/rate-limit.ts';
import { ENDPOINTS, type EndpointId } from '../../ports/inbound/endpoints.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../support/account-builders.ts';
import { put } from '../support/contents.ts';
import { MAILING } from '../support/mail.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import { done } from '../support/outcomes.ts';
import { memoryService } from '../support/service.ts';

let service: Service;
const permit = grantPermit();

/** Calls an endpoint as a page of the console does for a member with the role. */
const as = async (role: ShopRole, id: EndpointId, params: object = {}, body: object = {}) => {
  const principal: MemberPrincipal = { kind: 'member', account_id: 90, role, name: 'Ada', session_id: 1 };
  const raw = { params: { ...params }, query: {}, body: bodyAtHand(body), locale: 'en' } as const;
  const caller = { principal, address: () => '192.0.2.1', owner: ownerOf(principal, () => '192.0.2.1') };
  const { outcome } = await service.get('invoker').invoke(ENDPOINTS[id], raw, caller);
  return outcome;
};
const reasonOf = async (asked: ReturnType<typeof as>) => {
  const outcome = await asked;
  return outcome.ok ? 'ok' : (outcome.data?.['reason'] ?? outcome.code);
};
const OWNER = { account: 1 };

beforeEach(async () => {
  service = memoryService({}, memoryEngines(), MAILING);
  await put(service, { accounts: [anAccount({ id: 1 }), anAccount({ id: 2 })] });
  const email = (await service.get('accounts').get(1))?.email ?? '';
  done(await service.get('addMember')(permit, { email, name: 'Olga', role: 'everything' }));
});

describe('a member without the role everything', () => {
  const BELOW = SHOP_ROLES.filter((role) => role !== 'everything');
  const owners = Object.values(ENDPOINTS).filter(({ path }) => /^\/api\/shop\/(?:members|tokens)/.test(path));

  test.each(BELOW)('a member with the role %s can call no endpoint of members and tokens', async (role) => {
    expect(owners.length).toBeGreaterThan(7);
    for (const { id } of owners) {
      expect([id, await reasonOf(as(role, id as EndpointId, { ...OWNER, token: 1 }))]).toEqual([
        id,
        'missing_api_key_ability',
      ]);
    }
  });

  test.each([
    ['renameAccount', OWNER, { email: 'eve@example.com' }, 'missing_api_key_ability'],
    ['mergeAccounts', { account: 2 }, { into: 1 }, 'missing_api_key_ability'],
    ['mergeAccounts', OWNER, { into: 2 }, 'missing_api_key_ability'],
    ['eraseAccount', OWNER, {}, 'missing_api_key_ability'],
    ['suspendAccount', OWNER, { suspended: true }, 'account_of_member'],
    ['lockOut', OWNER, {}, 'account_of_member'],
    ['suspendAccount', { account: 2 }, { suspended: true }, 'ok'],
    ['lockOut', { account: 2 }, {}, 'ok'],
  ] as const)('does %s on %o with %o: %s', async (id, params, body, reason) => {
    expect(await reasonOf(as('support', id, params, body))).toBe(reason);
  });

  test('a member without the role everything gets no links to owner pages, and an owner’s key opens no shop endpoint', async () => {
    const link = done(await as('support', 'createSignInLink', OWNER));
    expect(link).toEqual({ url: null, expires_at: null, mailed_to: 'buyer-1@example.com' });
    const made = await as('support', 'createApiKey', OWNER, { name: 'k' });
    const { value } = done(made) as { readonly value: string };
    const raw = { params: {}, query: {}, body: bodyAtHand({}), locale: 'en' } as const;
    const sender = { authorization: `Bearer ${value}`, address: () => '192.0.2.1' };
    const asked = await service.get('invoker').answer(ENDPOINTS.listMembers, raw, sender);
    expect(asked.outcome).toMatchObject({ ok: false, code: 'invalid_api_key' });
  });
});

describe('a member with the role everything', () => {
  test.each([
    ['eraseAccount', OWNER, {}, 'account_of_member'],
    ['eraseAccount', OWNER, { trial: true }, 'account_of_member'],
    ['mergeAccounts', OWNER, { into: 2 }, 'account_of_member'],
    ['mergeAccounts', { account: 2 }, { into: 1 }, 'account_of_member'],
    ['removeMember', OWNER, {}, 'last_member'],
    ['changeMember', OWNER, { role: 'orders' }, 'last_member'],
    ['removeMember', { account: 2 }, {}, 'member_not_found'],
    ['createMemberLink', { account: 2 }, {}, 'member_not_found'],
    ['addMember', {}, { email: 'buyer-1@example.com', name: 'Olga', role: 'support' }, 'member_exists'],
    ['renameAccount', OWNER, { email: 'olga@example.com' }, 'ok'],
    ['suspendAccount', OWNER, { suspended: true }, 'account_of_member'],
    ['suspendAccount', OWNER, { suspended: false }, 'ok'],
  ] as const)('does %s on %o with %o: %s', async (id, params, body, reason) => {
    expect(await reasonOf(as('everything', id, params, body))).toBe(reason);
  });

  test('a member with the role everything can add, change and remove members, each named in the audit log', async () => {
    const added = done(
      await as('everything', 'addMember', {}, { email: 'bo@example.com', name: 'Bo', role: 'orders' }),
    );
    const { account_id: account } = added as { readonly account_id: number };
    await as('everything', 'changeMember', { account }, { role: 'support' });
    const listed = done(await as('everything', 'listMembers')) as { readonly data: readonly object[] };
    expect(listed.data).toMatchObject([
      { account_id: 1, name: 'Olga', role: 'everything' },
      { account_id: account, email: 'bo@example.com', name: 'Bo', role: 'support', suspended: false },
    ]);
    expect(JSON.stringify(listed)).not.toContain('hash');
    done(await as('everything', 'removeMember', { account }));
    const input = { account_id: null, product: null, by: null, subject: null, since: null, until: null, limit: 9 };
    const entries = done(await service.get('listAudit')({ ...input, action: 'member' }));
    expect(entries.map(({ action, by }) => [action, by.kind, by.name, by.through])).toEqual([
      ['member.removed', 'member', 'Ada', 'removeMember'],
      ['member.changed', 'member', 'Ada', 'changeMember'],
      ['member.created', 'member', 'Ada', 'addMember'],
      ['member.created', SERVICE.kind, undefined, null],
    ]);
  });

  test('ending a membership ends only the browsers, passkeys and links of the console', async () => {
    const link = await service.get('createSignInLink')(permit, 1, 'console');
    const sender = { browser: 'Firefox', address: '192.0.2.1' };
    const own = done(await service.get('openSession')(1, 'link', sender));
    const console = done(await service.get('openSession')(1, 'link', { ...sender, place: 'console' }));
    const passkey = { public_key: 'k', counter: 0, transports: [], created_at: '2026-01-01T00:00:00.000Z' };
    for (const place of [undefined, 'console'] as const) {
      const made = { ...passkey, id: `id-${place}`, account_id: 1, name: 'p', last_used_at: null };
      await service.get('passkeys').add(permit, { ...made, ...(place && { place }) }, []);
    }
    done(await as('everything', 'addMember', {}, { email: 'bo@example.com', name: 'Bo', role: 'everything' }));
    done(await as('everything', 'removeMember', OWNER));
    const email = (await service.get('accounts').get(1))?.email ?? '';
    done(await as('everything', 'addMember', {}, { email, name: 'Olga', role: 'support' }));
    expect(await service.get('findSession')(console.value, 'console')).toBeUndefined();
    expect(await service.get('findSession')(own.value)).toBeDefined();
    expect((await service.get('passkeys').of(1)).map(({ id }) => id)).toEqual(['id-undefined']);
    const used = await service.get('useSignInLink')({ code: done(link).code, ...sender, place: 'console' });
    expect(used).toMatchObject({ ok: false, code: 'link_not_usable' });
  });

  test('a token is shown once, and no list shows its value', async () => {
    const made = done(await as('everything', 'createAgentToken', {}, { role: 'orders', name: 'Warehouse' }));
    const { value, id: token } = made as { readonly value: string; readonly id: number };
    const listed = done(await as('everything', 'listAgentTokens')) as { readonly data: readonly object[] };
    expect(listed.data).toMatchObject([{ id: token, role: 'orders', name: 'Warehouse' }]);
    expect(JSON.stringify(listed)).not.toContain(value);
    done(await as('everything', 'revokeAgentToken', { token }));
    expect(await reasonOf(as('everything', 'revokeAgentToken', { token }))).toBe('agent_token_not_found');
  });
});

test('a member’s owner pages can’t change the address or erase the account, and an earlier link undoes nothing', async () => {
  const session = done(
    await service.get('openSession')(1, 'link', { browser: 'Firefox', address: '192.0.2.1' }),
  ).session;
  const ask = { session, email: 'eve@example.com', address: '192.0.2.1', locale: 'en' } as const;
  expect(await service.get('askForEmailChange')?.(permit, ask)).toMatchObject({ code: 'account_of_member' });
  const email = (await service.get('accounts').get(1))?.email ?? '';
  expect(await service.get('eraseOwnAccount')(permit, session, email)).toMatchObject({ code: 'account_of_member' });
  const account = await service.get('accounts').get(1);
  if (!account) throw new Error('The account is gone.');
  const undo = { email: 'eve@example.com', undoes: service.get('clock').now() };
  const code = await service.get('mailUndoLink')(permit, account, undo);
  expect(await service.get('undoEmailChange')(permit, { code, address: '192.0.2.1' })).toMatchObject({
    code: 'link_not_usable',
  });
  expect(await service.get('accounts').get(1)).toEqual(account);
});

test('a membership and a simultaneous erasure never both succeed', async () => {
  for (let n = 0; n < 20; n++) {
    const id = 100 + n;
    await put(service, { accounts: [anAccount({ id })] });
    const email = `buyer-${id}@example.com`;
    const [added, erased] = await Promise.all([
      service.get('addMember')(permit, { email, name: 'Bo', role: 'support' }),
      service.get('eraseAccount')(permit, { account_id: id }),
    ]);
    const member = await service.get('findMember')(id);
    expect([member !== undefined, (await service.get('accounts').get(id)) !== undefined]).toEqual(
      erased.ok ? [false, false] : [true, true],
    );
    if (added.ok && !erased.ok) expect(erased.code).toBe('account_of_member');
  }
});
