import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { principalOfSession } from '../../../domain/access/principal.ts';
import { ownerOf } from '../../../domain/access/rate-limit.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import type { Session } from '../../../domain/sign-in/session.ts';
import { NOW } from '../../support/builders.ts';
import { aSignInStore } from '../../support/sign-in.ts';

const sha256 = (text: string): string => hash('sha256', text, 'hex');

describe('the sessions of an account', () => {
  test('a session is found only by its value, until it ends', async () => {
    const { store, sessionOf } = await aSignInStore();
    const { value, session } = await sessionOf(1);
    const find = store.get('findSession');
    expect(await find(value)).toEqual({ ...session, memberships: [] });
    for (const other of [undefined, '', session.hash, `${value} `, 'x'.repeat(43), 'x'.repeat(10_000)]) {
      expect(await find(other)).toBeUndefined();
    }
    await store.get('endSession')(session);
    expect(await find(value)).toBeUndefined();
  });

  test('a suspended account has no session and no sign-in, and both work again afterwards', async () => {
    const { store, signIn } = await aSignInStore();
    const opened = await signIn();
    const value = opened.ok ? opened.value.value : '';
    const open = (await store.get('accounts').get(1)) as Account;
    await store.get('accounts').save(grantPermit(), { ...open, suspended_at: store.clock.at });
    expect(await store.get('findSession')(value)).toBeUndefined();
    expect(await signIn()).toMatchObject({ ok: false, code: 'account_suspended' });
    expect(await signIn({ password: 'wrong horse' })).toMatchObject({ ok: false, code: 'wrong_credentials' });
    await store.get('accounts').save(grantPermit(), open);
    expect(await store.get('findSession')(value)).toBeDefined();
    expect(await signIn()).toMatchObject({ ok: true });
  });

  test('a session counts against its account’s own limit, which is not stored with the session', async () => {
    const { store, sessionOf } = await aSignInStore();
    const { value } = await sessionOf(1);
    const account = (await store.get('accounts').get(1)) as Account;
    await store.get('accounts').save(grantPermit(), { ...account, requests_per_minute: 400 });
    const found = (await store.get('findSession')(value)) as Session;
    const renewed = await store.get('renewSession')(found);
    for (const session of [found, renewed?.session as Session]) {
      expect(ownerOf(principalOfSession(session), () => '')).toMatchObject({ requests_per_minute: 400 });
    }
    for (const session of await store.get('sessions').of(1)) expect(session).not.toHaveProperty('requests_per_minute');
  });

  test('a session in use is extended, with at most one write a day', async () => {
    const { store, sessionOf } = await aSignInStore();
    const { value, session } = await sessionOf(1);
    const before = await store.entries();
    expect(await store.get('findSession')(value)).toEqual({ ...session, memberships: [] });
    expect(await store.entries()).toEqual(before);
    for (let days = 10; days < 90; days += 10) {
      store.clock.at = addDays(NOW, days);
      expect(await store.get('findSession')(value)).toMatchObject({ ...session, last_seen_at: addDays(NOW, days) });
    }
    store.clock.at = addDays(NOW, 90);
    expect(await store.get('findSession')(value)).toBeUndefined();
  });

  test('a session that nobody used for 14 days has ended and is not listed', async () => {
    const { store, sessionOf } = await aSignInStore();
    const { value } = await sessionOf(1);
    store.clock.at = addDays(NOW, 14);
    expect(await store.get('findSession')(value)).toBeUndefined();
    expect(await store.get('listSessions')(1)).toEqual([]);
  });

  test('the live sessions of one account are listed newest first', async () => {
    const { store, sessionOf } = await aSignInStore();
    const first = await sessionOf(1);
    const second = await sessionOf(1);
    await sessionOf(2);
    expect(await store.get('listSessions')(1)).toEqual([second.session, first.session]);
  });

  test('an owner can end the own sessions, and nobody else’s', async () => {
    const { store, sessionOf } = await aSignInStore();
    const [own, others] = [await sessionOf(1), await sessionOf(2)];
    const end = (id: number) => store.get('endOwnSession')(grantPermit(), 1, id);
    expect(await end(others.session.id)).toMatchObject({ ok: false, code: 'session_not_found' });
    expect(await store.get('findSession')(others.value)).toBeDefined();
    expect(await end(own.session.id)).toMatchObject({ ok: true });
    expect(await store.get('findSession')(own.value)).toBeUndefined();
    expect(await end(own.session.id)).toMatchObject({ code: 'session_not_found' });
  });

  test('an owner ends every other session at once', async () => {
    const { store, sessionOf } = await aSignInStore();
    const sessions = [await sessionOf(1), await sessionOf(1), await sessionOf(1), await sessionOf(2)] as const;
    await store.get('endOtherSessions')(grantPermit(), sessions[1].session, null);
    const found = await Promise.all(sessions.map(({ value }) => store.get('findSession')(value)));
    expect(found.map((session) => session !== undefined)).toEqual([false, true, false, true]);
  });

  test('ending every other session also forgets the other browsers', async () => {
    const { store, sessionOf, remember } = await aSignInStore();
    const { session } = await sessionOf(1);
    const [, own] = [await remember(1), await remember(1), await remember(2)];
    await store.get('endOtherSessions')(grantPermit(), session, own);
    expect(await store.get('knownBrowsers').of(1)).toMatchObject([{ hash: sha256(own) }]);
    expect(await store.get('knownBrowsers').of(2)).toHaveLength(1);
  });

  test('an account has at most fifty sessions, and another one replaces the longest unused', async () => {
    const { store, sessionOf } = await aSignInStore();
    const first = await sessionOf(1);
    const second = await sessionOf(1);
    for (let n = 2; n < 51; n++) await sessionOf(1);
    expect(await store.get('listSessions')(1)).toHaveLength(50);
    expect(await store.get('findSession')(first.value)).toBeUndefined();
    expect(await store.get('findSession')(second.value)).toBeDefined();
  });

  test('a use at the moment of its end does not restore a session', async () => {
    const { store, sessionOf } = await aSignInStore();
    const { value, session } = await sessionOf(1);
    store.clock.at = addDays(NOW, 1);
    const find = store.get('findSession');
    await Promise.all([find(value), store.get('endSession')(session), find(value)]);
    expect(await find(value)).toBeUndefined();
    expect(await store.get('listSessions')(1)).toEqual([]);
  });
});
