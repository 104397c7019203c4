import { describe, expect, test } from 'vitest';
import { setPassword } from '../../../application/sign-in/passwords.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { PASSWORDS_PER_SESSION } from '../../../domain/sign-in/attempts.ts';
import type { Session } from '../../../domain/sign-in/session.ts';
import { beforeCall } from '../../support/before-call.ts';
import { noPauses } from '../../support/fakes.ts';
import { aSignInStore, openTurns, PASSWORD, plainPasswords, WRONG_PASSWORD } from '../../support/sign-in.ts';

const NEXT = 'battery staple';

const aPasswordStore = async () => {
  const made = await aSignInStore();
  const signedIn = await made.signIn();
  if (!signedIn.ok) throw new Error(signedIn.message);
  const set = (session: Session, current: string | null, next = NEXT, known: string | null = null) =>
    made.store.get('setPassword')(grantPermit(), { session, current, next, known, passkeys: [] });
  return { ...made, set, own: signedIn.value };
};

describe('the change of a password', () => {
  test('the new password signs in, and the old one no longer does', async () => {
    const { set, own, signIn } = await aPasswordStore();
    expect(await set(own.session, PASSWORD)).toMatchObject({ ok: true });
    expect(await signIn({ password: NEXT })).toMatchObject({ ok: true });
    expect(await signIn()).toMatchObject({ code: 'wrong_credentials' });
  });

  test('a change of password ends the account’s other sessions and gives the current one a new value', async () => {
    const { store, set, own, signIn, sessionOf } = await aPasswordStore();
    const other = await signIn();
    const neighbour = await sessionOf(2);
    const changed = await set(own.session, PASSWORD);
    const find = store.get('findSession');
    expect(await find(own.value)).toBeUndefined();
    const value = changed.ok ? changed.value?.value : '';
    expect(await find(value)).toMatchObject({ id: own.session.id, created_at: own.session.created_at });
    expect(await find(other.ok ? other.value.value : '')).toBeUndefined();
    expect(await find(neighbour.value)).toBeDefined();
  });

  test('a change of password forgets all known browsers except the current one', async () => {
    const { set, own, signIn, remember, turns } = await aPasswordStore();
    const known = [await remember(1), await remember(1), await remember(2)];
    await set(own.session, PASSWORD, NEXT, known[1]);
    turns.lanes.length = 0;
    for (const value of known) await signIn({ password: NEXT, known: value });
    await signIn({ email: 'buyer-2@example.com', known: known[2] as string });
    expect(turns.lanes).toEqual(['stranger', 'known', 'stranger', 'known']);
  });

  test('the cookie of another account’s browser keeps no browser of this account known', async () => {
    const { store, set, own, remember } = await aPasswordStore();
    await remember(1);
    await set(own.session, PASSWORD, NEXT, await remember(2));
    expect(await store.get('knownBrowsers').of(1)).toEqual([]);
    expect(await store.get('knownBrowsers').of(2)).toHaveLength(1);
  });

  test('a browser whose session a change of password has ended does not become known', async () => {
    const { store, set, own, signIn } = await aPasswordStore();
    const other = await signIn();
    if (!other.ok) throw new Error(other.message);
    await set(own.session, PASSWORD);
    await store.get('rememberBrowser')(other.value.session);
    expect(await store.get('knownBrowsers').of(1)).toEqual([]);
  });

  test.each([
    ['no current password', null, NEXT, 'wrong_credentials'],
    ['a wrong current password', WRONG_PASSWORD, NEXT, 'wrong_credentials'],
    ['a new password of seven characters', PASSWORD, '1234567', 'password_too_short'],
    ['a new password of 257 characters', PASSWORD, 'x'.repeat(257), 'password_too_long'],
  ])('%s changes nothing', async (_, current, next, code) => {
    const { store, set, own, signIn } = await aPasswordStore();
    const account = await store.get('accounts').get(1);
    expect(await set(own.session, current, next)).toMatchObject({ ok: false, code });
    expect(await store.get('accounts').get(1)).toEqual(account);
    expect(await signIn()).toMatchObject({ ok: true });
  });

  test('a session from a one-time link needs no current password for ten minutes', async () => {
    const { store, set, sessionOf } = await aPasswordStore();
    const { session } = await sessionOf(1);
    const end = millis(session.created_at) + 600_000;
    store.clock.at = toInstant(end);
    expect(await set(session, null)).toMatchObject({ code: 'wrong_credentials' });
    store.clock.at = toInstant(end - 1);
    expect(await set(session, null)).toMatchObject({ ok: true });
  });

  /** The use case, with a change of the account right before the new password is stored. */
  const late = async (change: Partial<Account>) => {
    const { store, own } = await aPasswordStore();
    const accounts = store.get('accounts');
    const setLate = setPassword({
      accounts: beforeCall(accounts, ['save', 'revise'], async () => {
        const read = await accounts.get(1);
        if (read) await accounts.revise(grantPermit(), read, { ...read, ...change }, []);
      }),
      passwords: plainPasswords().passwords,
      passwordTurns: openTurns().passwordTurns,
      clock: store.clock,
      signInMethods: { password: true, upstream: null },
      countAttempts: store.get('countAttempts'),
      endOtherSessions: store.get('endOtherSessions'),
      renewSession: store.get('renewSession'),
      pauses: noPauses,
    });
    const input = { session: own.session, current: PASSWORD, next: NEXT, known: null, passkeys: [] };
    return { outcome: await setLate(grantPermit(), input), account: await accounts.get(1) };
  };

  test('an account that is renamed while its password is stored keeps the new name', async () => {
    expect(await late({ name: 'Ann' })).toMatchObject({
      outcome: { ok: true },
      account: { name: 'Ann', password_hash: `plain:${NEXT}` },
    });
  });

  test('a password that the operator sets meanwhile stays, because the current one is then wrong', async () => {
    expect(await late({ password_hash: 'plain:by the operator' })).toMatchObject({
      outcome: { code: 'wrong_credentials' },
      account: { password_hash: 'plain:by the operator' },
    });
  });

  test('an account without a password gets its first one', async () => {
    const { set, sessionOf, signIn } = await aPasswordStore();
    const { session } = await sessionOf(2);
    expect(await set(session, null)).toMatchObject({ ok: true });
    expect(await signIn({ email: 'buyer-2@example.com', password: NEXT })).toMatchObject({ ok: true });
  });

  test('a change that exceeds the parallel limit changes nothing and is not counted', async () => {
    const { store, set, own, turns } = await aPasswordStore();
    const account = await store.get('accounts').get(1);
    turns.state.busy = true;
    for (let n = 0; n < 20; n++) expect(await set(own.session, PASSWORD)).toMatchObject({ code: 'busy' });
    expect(await store.get('accounts').get(1)).toEqual(account);
    turns.state.busy = false;
    expect(await set(own.session, PASSWORD)).toMatchObject({ ok: true });
    expect(new Set(turns.lanes.slice(1))).toEqual(new Set(['known']));
  });

  test('no password is set if the operator turned passwords off', async () => {
    const { store, sessionOf } = await aSignInStore({}, { signInMethods: { password: false, upstream: null } });
    const { session } = await sessionOf(2);
    const input = { session, current: null, next: NEXT, known: null, passkeys: [] };
    expect(await store.get('setPassword')(grantPermit(), input)).toMatchObject({ code: 'passwords_off' });
    expect(await store.get('accounts').get(2)).toMatchObject({ password_hash: null });
  });

  test('a current password that is too long is not verified, and one of the maximum length is', async () => {
    const { set, own, verified } = await aPasswordStore();
    verified.length = 0;
    expect(await set(own.session, 'x'.repeat(257))).toMatchObject({ code: 'wrong_credentials' });
    expect(await set(own.session, null)).toMatchObject({ code: 'wrong_credentials' });
    expect(verified).toEqual([]);
    expect(await set(own.session, 'x'.repeat(256))).toMatchObject({ code: 'wrong_credentials' });
    expect(verified).toHaveLength(1);
  });

  test('the session of a deleted account sets no password', async () => {
    const { set, own } = await aPasswordStore();
    expect(await set({ ...own.session, account_id: 99 }, PASSWORD)).toMatchObject({
      code: 'wrong_credentials',
      message: 'This account no longer exists.',
    });
  });

  test('right current passwords use up no attempts', async () => {
    const { set, own } = await aPasswordStore();
    for (let n = 0; n < 20; n++) expect(await set(own.session, PASSWORD, PASSWORD)).toMatchObject({ ok: true });
  });

  test('a session can guess the current password at most ten times, even simultaneously', async () => {
    const { set, own, verified } = await aPasswordStore();
    verified.length = 0;
    const guesses = Array.from({ length: 30 }, (_, n) => set(own.session, `guess ${n}`));
    const codes = (await Promise.all(guesses)).map((guess) => (guess.ok ? 'ok' : guess.code));
    expect(codes.filter((code) => code === 'wrong_credentials')).toHaveLength(PASSWORDS_PER_SESSION);
    expect(verified).toHaveLength(PASSWORDS_PER_SESSION);
    expect(await set(own.session, PASSWORD)).toMatchObject({ code: 'too_many_attempts' });
  });
});
