import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { signInKeys } from '../../adapters/store/keys/sign-in.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import {
  StoredDeviceSignIns,
  StoredKnownBrowsers,
  StoredSessions,
  StoredSignInLinks,
  StoredUpstreamLinks,
  StoredUpstreamSignIns,
} from '../../adapters/store/sign-ins.ts';
import type { Table } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { addDays, millis, toInstant } from '../../domain/shared/instant.ts';
import { DEVICE_CLIENTS, type DeviceSignIn, newDeviceSignIn } from '../../domain/sign-in/device-sign-in.ts';
import { newKnownBrowser, newSession, type Session } from '../../domain/sign-in/session.ts';
import { keptUntil, newSignInLink } from '../../domain/sign-in/sign-in-link.ts';
import { newUpstreamSignIn } from '../../domain/sign-in/upstream-sign-in.ts';
import { audited } from '../support/audited.ts';
import { newFile, open } from './sqlite/folder.ts';

/** A moment that no engine considers past. */
const NOW = toInstant(Date.now());

const seconds = (moment: string): number => Math.ceil(millis(moment) / 1000);

const aSession = (id: number, overrides: Partial<Session> = {}): Session => ({
  ...newSession({ id, hash: `hash-${id}`, account_id: 1, method: 'password', browser: 'Firefox' }, NOW),
  ...overrides,
});

const aDeviceSignIn = (hash: string, user_code_hash = `code-${hash}`): DeviceSignIn =>
  newDeviceSignIn({ hash, user_code_hash }, DEVICE_CLIENTS[0]!, { device_id: 'laptop', name: null }, NOW);

const ENGINES: readonly (readonly [string, () => Table])[] = [
  ['memory', () => new MemoryTable()],
  ['sqlite', () => open(newFile())],
];

describe.each(ENGINES)('sign-in records on the %s engine', (_, newTable) => {
  test('a session is found by its hash and listed with its account until it ends', async () => {
    const table = newTable();
    const sessions = new StoredSessions(table);
    const [first, second, other] = [aSession(1), aSession(2), aSession(3, { account_id: 2 })];
    for (const session of [second, first, other]) await sessions.add(session);
    expect(await sessions.find('hash-1')).toEqual(first);
    expect(await sessions.of(1)).toEqual([first, second]);
    await sessions.end(first);
    await sessions.end(first);
    expect(await sessions.find('hash-1')).toBeUndefined();
    expect(await sessions.of(1)).toEqual([second]);
  });

  test('both items of a session expire together, and later after each use', async () => {
    const table = newTable();
    const sessions = new StoredSessions(table);
    const expiries = async () => [
      (await table.get(signInKeys.session('hash-1')))?.expires_at,
      (await table.get(signInKeys.sessionOfAccount(1, 1)))?.expires_at,
    ];
    await sessions.add(aSession(1));
    expect(await expiries()).toEqual(Array(2).fill(seconds(addDays(NOW, 14))));
    await sessions.touch(aSession(1, { last_seen_at: addDays(NOW, 3) }));
    expect(await expiries()).toEqual(Array(2).fill(seconds(addDays(NOW, 17))));
    expect(await sessions.of(1)).toMatchObject([{ last_seen_at: addDays(NOW, 3) }]);
  });

  test('a use of an ended session does not restore it', async () => {
    const sessions = new StoredSessions(newTable());
    await sessions.touch(aSession(1));
    expect(await sessions.of(1)).toEqual([]);
    for (let id = 1; id <= 10; id++) {
      await sessions.add(aSession(id));
      await Promise.all([sessions.touch(aSession(id)), sessions.end(aSession(id)), sessions.touch(aSession(id))]);
    }
    expect(await sessions.of(1)).toEqual([]);
  });

  test('a session with a new hash is found only by it, and can be ended under any hash', async () => {
    const sessions = new StoredSessions(newTable());
    for (let id = 1; id <= 10; id++) {
      const session = aSession(id);
      await sessions.add(session);
      const renewed = { ...session, hash: `new-${id}` };
      if (id === 1) {
        expect(await sessions.replace(session, renewed)).toBe(true);
        expect([await sessions.find('hash-1'), await sessions.find('new-1')]).toEqual([undefined, renewed]);
        expect(await sessions.of(1)).toEqual([renewed]);
        await sessions.end(session);
      } else await Promise.all([sessions.end(session), sessions.replace(session, renewed), sessions.touch(session)]);
      expect(await sessions.find(`new-${id}`)).toBeUndefined();
      expect(await sessions.replace(session, renewed)).toBe(false);
    }
    expect(await sessions.of(1)).toEqual([]);
  });

  test('a known browser is found by its hash until it is forgotten', async () => {
    const table = newTable();
    const browsers = new StoredKnownBrowsers(table);
    const browser = newKnownBrowser('h', 1, NOW);
    await browsers.save(browser);
    await browsers.save(newKnownBrowser('other', 2, NOW));
    expect(await browsers.find('h')).toEqual(browser);
    expect(await browsers.of(1)).toEqual([browser]);
    for (const key of [signInKeys.knownBrowser('h'), signInKeys.knownBrowserOfAccount(1, 'h')]) {
      expect((await table.get(key))?.expires_at).toBe(seconds(browser.expires_at));
    }
    await browsers.forget(browser);
    await browsers.forget(browser);
    expect(await browsers.find('h')).toBeUndefined();
    expect(await browsers.of(1)).toEqual([]);
  });

  test('a one-time link is used once, however many use it at the same time', async () => {
    const table = newTable();
    const links = new StoredSignInLinks(audited(table));
    const link = newSignInLink({ hash: 'h', account_id: 1, password_mark: 'm' }, NOW);
    await links.save(grantPermit(), link);
    expect(await links.find('h')).toEqual(link);
    expect((await table.get(signInKeys.link('h')))?.expires_at).toBe(seconds(keptUntil(link)));
    const used = await Promise.all(Array.from({ length: 20 }, () => links.use(link)));
    expect(used.filter(Boolean)).toHaveLength(1);
    expect(await links.find('h')).toEqual({ ...link, expires_at: link.created_at });
    expect([await links.use(link), await links.of(1)]).toEqual([false, []]);
  });

  test('a device sign-in is found by both of its codes, which expire together', async () => {
    const table = newTable();
    const signIns = new StoredDeviceSignIns(audited(table));
    const signIn = aDeviceSignIn('h');
    expect(await signIns.add(signIn)).toBe(true);
    expect(await signIns.find('h')).toMatchObject(signIn);
    expect(await signIns.findByUserCode('code-h')).toEqual(await signIns.find('h'));
    expect(await signIns.findByUserCode('h')).toBeUndefined();
    for (const key of [signInKeys.deviceSignIn('h'), signInKeys.userCode('code-h')]) {
      expect((await table.get(key))?.expires_at).toBe(seconds(signIn.expires_at));
    }
  });

  test('a second device sign-in with the same user code is not added and leaves nothing', async () => {
    const signIns = new StoredDeviceSignIns(audited(newTable()));
    await signIns.add(aDeviceSignIn('a', 'code'));
    expect(await signIns.add(aDeviceSignIn('b', 'code'))).toBe(false);
    expect(await signIns.find('b')).toBeUndefined();
    expect(await signIns.findByUserCode('code')).toMatchObject({ hash: 'a' });
  });

  test('a device sign-in that changed since it was read is neither replaced nor removed', async () => {
    const signIns = new StoredDeviceSignIns(audited(newTable()));
    const signIn = aDeviceSignIn('h');
    await signIns.add(signIn);
    const read = (await signIns.find('h'))!;
    expect(await signIns.replace(read, { ...signIn, state: 'approved', account_id: 1 })).toBe(true);
    expect(await signIns.replace(read, { ...signIn, state: 'denied' })).toBe(false);
    expect(await signIns.remove(read)).toBe(false);
    expect(await signIns.find('h')).toMatchObject({ state: 'approved' });
  });

  test('a device sign-in is removed once and can be added again', async () => {
    const signIns = new StoredDeviceSignIns(audited(newTable()));
    await signIns.add(aDeviceSignIn('h'));
    const read = (await signIns.find('h'))!;
    const removed = await Promise.all(Array.from({ length: 20 }, () => signIns.remove(read)));
    expect(removed.filter(Boolean)).toHaveLength(1);
    expect(await signIns.findByUserCode('code-h')).toBeUndefined();
    expect(await signIns.add(aDeviceSignIn('h'))).toBe(true);
  });

  test('a provider sign-in is taken once', async () => {
    const table = newTable();
    const signIns = new StoredUpstreamSignIns(table);
    const checks = { state: 's', nonce: 'n', code_verifier: 'v' };
    const signIn = newUpstreamSignIn({ hash: 'h', checks, next: '/' }, NOW);
    await signIns.save(signIn);
    expect((await table.get(signInKeys.upstreamSignIn('h')))?.expires_at).toBe(seconds(signIn.expires_at));
    const taken = await Promise.all(Array.from({ length: 20 }, () => signIns.take('h')));
    expect(taken.filter((one) => one !== undefined)).toEqual([signIn]);
  });

  test('an identity is linked to one account permanently', async () => {
    const links = new StoredUpstreamLinks(newTable());
    const identity = { issuer: 'https://login.example.com', subject: 's' };
    const added = await Promise.all([1, 2, 3].map((account_id) => links.add(identity, account_id)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await links.find(identity)).toBe(added.indexOf(true) + 1);
    expect(await links.add(identity, 4)).toBe(false);
    const owner = added.indexOf(true) + 1;
    expect(await links.add({ ...identity, subject: 'another' }, owner)).toBe(false);
    expect(await links.add({ subject: 'another', issuer: 'https://other.example.com' }, owner)).toBe(true);
    expect(await links.isTaken(owner, identity.issuer)).toBe(true);
    expect(await links.isTaken(4, identity.issuer)).toBe(false);
    expect(await links.find({ ...identity, issuer: 'https://login.example.com/' })).toBeUndefined();
    expect(await links.find({ issuer: 'https://login.example.com","s', subject: '' })).toBeUndefined();
  });

  test('an identity removed from its account no longer signs in, and can be linked again', async () => {
    const table = newTable();
    const links = new StoredUpstreamLinks(table);
    const [one, two] = ['s', 't'].map((subject) => ({ issuer: 'https://login.example.com', subject }));
    if (!one || !two) throw new Error('There are two.');
    expect([await links.add(one, 1), await links.count(1)]).toEqual([true, 1]);
    await links.forget(1);
    expect([await links.find(one), await links.count(1)]).toEqual([undefined, 0]);
    expect(await links.add(two, 1)).toBe(true);
    expect([await links.find(one), await links.find(two)]).toEqual([undefined, 1]);
    expect(await links.add(one, 2)).toBe(true);
    expect(await links.find(one)).toBe(2);
    // The previous version wrote no link beside the account.
    const key = signInKeys.upstreamOfAccount(2, one.issuer);
    await table.put({ pk: key.pk, sk: key.sk, data: { account_id: 2 } });
    expect(await links.find(one)).toBe(2);
  });

  test('a count that is undone decreases by one', async () => {
    const limits = new StoredRateLimits(newTable());
    const hit = ['subject', 5, seconds(addDays(NOW, 1))] as const;
    expect([await limits.hit(...hit), await limits.hit(...hit)]).toEqual([1, 2]);
    await limits.takeBack(...hit);
    expect(await limits.hit(...hit)).toBe(2);
  });
});
