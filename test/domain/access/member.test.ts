import { describe, expect, test } from 'vitest';
import { checkCaller } from '../../../domain/access/access-rule.ts';
import { actorOf } from '../../../domain/access/actor.ts';
import {
  changedMember,
  checkNewMember,
  endedMember,
  type Member,
  MOST_MEMBERS,
  memberName,
} from '../../../domain/access/member.ts';
import { AGENT_ROLES, type MemberPrincipal, SHOP_ROLES, type ShopRole } from '../../../domain/access/principal.ts';
import { ownerName, ownerOf } from '../../../domain/access/rate-limit.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const member = (account_id: number, role: ShopRole = 'everything'): Member => ({
  ...{ account_id, role, name: 'Ada', added_at: NOW },
});
const principal = (role: ShopRole): MemberPrincipal => ({
  ...{ kind: 'member', account_id: 7, role, name: 'Ada', session_id: 3 },
});

test('a member may call whatever a token of the same role may call, and no endpoint of design agents', () => {
  for (const has of SHOP_ROLES) {
    for (const role of SHOP_ROLES) {
      const may = checkCaller({ access: { credential: 'agent', role } }, principal(has)).ok;
      expect([has, role, may]).toEqual([has, role, has === role || has === 'everything']);
    }
    for (const role of AGENT_ROLES) {
      expect(checkCaller({ access: { credential: 'agent', role } }, principal(has))).toMatchObject({ ok: false });
    }
    expect(checkCaller({ access: { credential: 'key' } }, principal(has))).toMatchObject({ code: 'invalid_api_key' });
  }
});

test('a member has its own name in the audit log and its own rate limit', () => {
  expect(actorOf(principal('support'), 'refundOrder', '192.0.2.1')).toEqual({
    ...{ kind: 'member', id: '7', name: 'Ada', account_id: null, through: 'refundOrder', from: '192.0.2.1' },
  });
  expect(ownerName(ownerOf(principal('support'), () => ''))).toBe('MEMBER#7');
});

describe('the members of a shop', () => {
  test('members have readable names', () => {
    expect(memberName(' \u200b')).toMatchObject({ ok: false, code: 'name_is_empty' });
    expect(changedMember([member(1)], { account_id: 1, name: '' })).toMatchObject({ code: 'name_is_empty' });
  });

  test('a shop has at most a few dozen members, each listed once', () => {
    const many = Array.from({ length: MOST_MEMBERS }, (_, index) => member(index + 2));
    expect(checkNewMember(many.slice(1), 1)).toMatchObject({ ok: true });
    expect(checkNewMember(many, 1)).toMatchObject({ code: 'too_many_members' });
    expect(checkNewMember([member(1)], 1)).toMatchObject({ code: 'member_exists' });
  });

  test.each([
    ['alone', [member(1)], 'last_member'],
    ['with others below everything', [member(1), member(2, 'orders'), member(3, 'support')], 'last_member'],
    ['with another of everything', [member(1), member(2)], undefined],
  ] as const)('a shop keeps its last member with the role everything: %s', (_, members, code) => {
    for (const outcome of [changedMember(members, { account_id: 1, role: 'catalog' }), endedMember(members, 1)]) {
      expect(outcome.ok ? undefined : outcome.code).toBe(code);
    }
    expect(changedMember(members, { account_id: 1, name: ' Ada L. ' })).toMatchObject({ value: { name: 'Ada L.' } });
    expect(changedMember(members, { account_id: 1, role: 'everything' })).toMatchObject({ value: 'unchanged' });
    expect(endedMember(members, 9)).toMatchObject({ code: 'member_not_found' });
  });
});
