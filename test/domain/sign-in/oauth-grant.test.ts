import { expect, test } from 'vitest';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import {
  appsToEnd,
  isLiveGrant,
  isUseDue,
  isWithinGrace,
  MOST_APPS,
  requestedPermissions,
  usedAgain,
} from '../../../domain/sign-in/oauth-grant.ts';
import { NOW } from '../../support/builders.ts';

const later = (moment: string, ms: number): string => toInstant(millis(moment) + ms);
const anApp = (grant_id: string, last_used_at = NOW, created_at = NOW) => ({
  grant_id,
  account_id: 1,
  client_id: 'client',
  client_name: 'Client',
  redirect_host: 'localhost',
  permissions: [],
  created_at,
  last_used_at,
});

test('a connected application ends 31 days after the day of its last use', () => {
  expect(isLiveGrant(anApp('a'), later(addDays(NOW, 31), -1))).toBe(true);
  expect(isLiveGrant(anApp('a'), addDays(NOW, 31))).toBe(false);
});

test('the use of a connected application is recorded at most once a day', () => {
  expect(isUseDue(anApp('a'), later(addDays(NOW, 1), -1))).toBe(false);
  expect(isUseDue(anApp('a'), addDays(NOW, 1))).toBe(true);
});

test('a used refresh token works again for less than 30 seconds', () => {
  expect(isWithinGrace(NOW, later(NOW, 29_999))).toBe(true);
  expect(isWithinGrace(NOW, later(NOW, 30_000))).toBe(false);
});

test('an account above its limit loses the applications that are unused for longest', () => {
  const some = Array.from({ length: MOST_APPS - 1 }, (_, n) => anApp(`some-${n}`));
  const [unused, old, older] = [
    anApp('unused', addDays(NOW, -1)),
    anApp('old', NOW, addDays(NOW, -1)),
    anApp('older', NOW, addDays(NOW, -2)),
  ];
  expect(appsToEnd([old, ...some])).toEqual([]);
  expect(appsToEnd([old, ...some, unused])).toEqual([unused]);
  expect(appsToEnd([old, ...some, older, unused])).toEqual([unused, older]);
  expect(appsToEnd([older, unused, ...some, old])).toEqual([unused, older]);
});

test('a code works once, and a refresh token twenty more times within its grace period', () => {
  const first = { consumed_at: null };
  const used = { consumed_at: NOW };
  expect(usedAgain(first, false, NOW)).toEqual(used);
  expect(usedAgain(used, false, NOW)).toBeUndefined();
  expect(usedAgain(used, true, NOW)).toEqual({ ...used, reuses: 1 });
  expect(usedAgain({ ...used, reuses: 20 }, true, NOW)).toBeUndefined();
  expect(usedAgain(used, true, later(NOW, 30_000))).toBeUndefined();
});

test.each([
  ['no scope', '', ['mcp.read', 'products.read']],
  ['scopes of OpenID Connect alone', 'openid  offline_access', ['mcp.read', 'products.read']],
  [
    'permissions in any order, and unknown scopes',
    'orders.read openid products.read nonsense',
    ['products.read', 'orders.read'],
  ],
  ['unknown scopes alone', 'openid nonsense', []],
])('a request with %s asks for the named permissions, or the default ones', (_, scope, permissions) => {
  expect([...requestedPermissions(scope)].sort()).toEqual([...permissions].sort());
});
