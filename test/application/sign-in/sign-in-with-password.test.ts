import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import type { Item, Key } from '../../../adapters/store/table.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import {
  PASSWORDS_OF_KNOWN_BROWSERS,
  PASSWORDS_PER_ADDRESS,
  PASSWORDS_PER_ADDRESS_AND_EMAIL,
  PASSWORDS_PER_EMAIL,
  PASSWORDS_PER_KNOWN_BROWSER,
} from '../../../domain/sign-in/attempts.ts';
import { MOST_KNOWN_BROWSERS } from '../../../domain/sign-in/session.ts';
import { ADDRESS, aSignInStore, PASSWORD, WRONG_PASSWORD } from '../../support/sign-in.ts';

const WRONG = { ok: false, code: 'wrong_credentials' };
const TOO_MANY = { ok: false, code: 'too_many_attempts' };
const OWNER = '198.51.100.1';

/** This many different addresses. */
const addresses = (count: number): string[] => Array.from({ length: count }, (_, n) => `192.0.2.${n}`);

describe('a sign-in with a password', () => {
  test('the right password opens a session that its value finds, and only its hash is stored', async () => {
    const { store, signIn } = await aSignInStore();
    const opened = await signIn();
    if (!opened.ok) throw new Error(opened.message);
    const { value, session } = opened.value;
    expect(value).toMatch(/^[\w-]{43}$/);
    expect(session).toMatchObject({ account_id: 1, method: 'password', browser: 'Firefox', address: ADDRESS });
    expect(await store.get('findSession')(value)).toEqual({ ...session, memberships: [] });
    expect(JSON.stringify(await store.entries())).not.toContain(value);
  });

  test('each sign-in has its own session value', async () => {
    const { signIn } = await aSignInStore();
    const [first, second] = [await signIn(), await signIn()];
    expect(first.ok && second.ok && first.value.value !== second.value.value).toBe(true);
  });

  test('an email address is found in any case and with surrounding spaces', async () => {
    const { signIn } = await aSignInStore();
    expect(await signIn({ email: ' Buyer-1@EXAMPLE.com ' })).toMatchObject({ ok: true });
  });

  test.each([
    ['a wrong password', { password: WRONG_PASSWORD }],
    ['an address that no account has', { email: 'nobody@example.com' }],
    ['an account without a password', { email: 'buyer-2@example.com' }],
  ])('%s is refused with the same message after one password was verified', async (_, input) => {
    const { store, signIn, verified } = await aSignInStore();
    expect(await signIn(input)).toEqual({ ...WRONG, message: 'The email address or the password is wrong.' });
    expect(verified).toHaveLength(1);
    expect(await store.get('listSessions')(1)).toEqual([]);
  });

  test('an unknown address costs as many reads as a known one', async () => {
    const reads = async (email: string): Promise<number> => {
      let count = 0;
      class CountingTable extends MemoryTable {
        override get(key: Key): Promise<Item | undefined> {
          count++;
          return super.get(key);
        }
      }
      const { signIn, remember } = await aSignInStore({}, { table: new CountingTable() });
      const known = await remember(2);
      count = 0;
      await signIn({ email, password: WRONG_PASSWORD, known });
      return count;
    };
    expect(await reads('nobody@example.com')).toBe(await reads('buyer-1@example.com'));
  });

  test('a text that is too long for a password or an address is not verified', async () => {
    const { signIn, verified } = await aSignInStore();
    expect(await signIn({ password: 'x'.repeat(257) })).toMatchObject(WRONG);
    expect(await signIn({ email: `${'x'.repeat(250)}@example.com` })).toMatchObject(WRONG);
    expect(verified).toEqual([]);
    await signIn({ password: 'x'.repeat(256) });
    await signIn({ email: `${'x'.repeat(242)}@example.com` });
    expect(verified).toHaveLength(2);
  });

  test('no password signs in if the operator turned passwords off', async () => {
    const signInMethods = { password: false, upstream: { name: 'Shop' } };
    const { signIn, verified } = await aSignInStore({}, { signInMethods });
    expect(await signIn()).toMatchObject(WRONG);
    expect(verified).toEqual([]);
  });

  test('a password that is replaced while it is verified opens no session', async () => {
    const passwords = {
      hash: async (password: string) => `plain:${password}`,
      verify: async (): Promise<boolean> => {
        const account = await store.get('accounts').get(1);
        await store.get('accounts').save(grantPermit(), { ...account!, password_hash: 'plain:another one' });
        return true;
      },
    };
    const { store, signIn } = await aSignInStore({}, { passwords });
    expect(await signIn()).toMatchObject(WRONG);
    expect(await store.get('sessions').of(1)).toEqual([]);
  });
});

describe('a sign-in above the parallel limit', () => {
  test.each([
    ['the right password', {}],
    ['a wrong password', { password: WRONG_PASSWORD }],
    ['an address that no account has', { email: 'nobody@example.com' }],
    ['an account without a password', { email: 'buyer-2@example.com' }],
  ])('%s is refused with the same message, and no password is verified', async (_, input) => {
    const { signIn, verified, turns } = await aSignInStore();
    turns.state.busy = true;
    expect(await signIn(input)).toEqual({ ok: false, code: 'busy', data: { retry_after: 5 } });
    expect(verified).toEqual([]);
  });

  test('attempts above the parallel limit are not counted', async () => {
    const { signIn, turns } = await aSignInStore();
    turns.state.busy = true;
    for (let n = 0; n < 100; n++) expect(await signIn({ password: WRONG_PASSWORD })).toMatchObject({ code: 'busy' });
    turns.state.busy = false;
    for (let n = 0; n < PASSWORDS_PER_ADDRESS_AND_EMAIL; n++) {
      expect(await signIn({ password: WRONG_PASSWORD })).toMatchObject(WRONG);
    }
    expect(await signIn()).toMatchObject(TOO_MANY);
  });

  test('only a browser known to this account takes precedence over strangers', async () => {
    const { signIn, turns, remember } = await aSignInStore();
    const known = await remember(1);
    await signIn({ known });
    await signIn();
    await signIn({ known: 'x'.repeat(43) });
    await signIn({ known, email: 'buyer-2@example.com' });
    expect(turns.lanes).toEqual(['known', 'stranger', 'stranger', 'stranger']);
  });
});

describe('the guessing of passwords', () => {
  test('one IP address is refused after ten wrong passwords for one account, until the window ends', async () => {
    const { store, signIn } = await aSignInStore();
    for (let n = 0; n < PASSWORDS_PER_ADDRESS_AND_EMAIL; n++) {
      expect(await signIn({ password: WRONG_PASSWORD })).toMatchObject(WRONG);
    }
    const refused = await signIn();
    expect(refused).toMatchObject(TOO_MANY);
    const wait = refused.ok ? 0 : Number(refused.data?.['retry_after']);
    store.clock.at = toInstant(millis(store.clock.at) + wait * 1000 - 1);
    expect(await signIn()).toMatchObject(TOO_MANY);
    store.clock.at = toInstant(millis(store.clock.at) + 1);
    expect(await signIn()).toMatchObject({ ok: true });
  });

  test.each([
    'buyer-1@example.com',
    'buyer-2@example.com',
    'nobody@example.com',
  ])('attempts at %s are counted alike, so the limits do not reveal whether an account exists', async (email) => {
    const { signIn } = await aSignInStore();
    const told: string[] = [];
    for (let n = 0; n < 12; n++) {
      const answer = await signIn({ email, password: WRONG_PASSWORD });
      told.push(answer.ok ? 'ok' : answer.code);
    }
    expect(told).toEqual([...Array(10).fill('wrong_credentials'), 'too_many_attempts', 'too_many_attempts']);
  });

  test('one IP address is refused after thirty wrong passwords for many accounts', async () => {
    const { signIn } = await aSignInStore();
    for (let n = 0; n < PASSWORDS_PER_ADDRESS; n++) {
      expect(await signIn({ email: `n${n}@example.com` })).toMatchObject(WRONG);
    }
    expect(await signIn()).toMatchObject(TOO_MANY);
    expect(await signIn({ address: OWNER })).toMatchObject({ ok: true });
  });

  test('a stranger at one IP address locks nobody out at another, however patient', async () => {
    const { store, signIn } = await aSignInStore();
    store.clock.at = '2026-11-21T08:00:00.000Z';
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let n = 0; n < 50; n++) await signIn({ password: WRONG_PASSWORD });
      store.clock.at = toInstant(millis(store.clock.at) + 15 * 60_000);
    }
    store.clock.at = '2026-11-21T08:59:59.999Z';
    expect(await signIn({ address: OWNER })).toMatchObject({ ok: true });
  });

  test('the owner can sign in from a known browser, however many strangers guess', async () => {
    const { signIn, remember } = await aSignInStore();
    const known = await remember(1);
    for (const address of [...addresses(200), OWNER]) await signIn({ password: WRONG_PASSWORD, address });
    expect(await signIn({ address: OWNER })).toMatchObject(TOO_MANY);
    expect(await signIn({ address: OWNER, known })).toMatchObject({ ok: true });
  });

  test('a known browser has ten attempts as well and uses up nobody else’s', async () => {
    const { signIn, remember } = await aSignInStore();
    const known = await remember(1);
    for (let n = 0; n < PASSWORDS_PER_KNOWN_BROWSER; n++) {
      expect(await signIn({ password: WRONG_PASSWORD, known })).toMatchObject(WRONG);
    }
    expect(await signIn({ known })).toMatchObject(TOO_MANY);
    expect(await signIn()).toMatchObject({ ok: true });
  });

  test('a browser known to another account is a stranger to this one', async () => {
    const { signIn, remember } = await aSignInStore();
    const known = await remember(2);
    for (let n = 0; n < 10; n++) await signIn({ password: WRONG_PASSWORD });
    expect(await signIn({ known })).toMatchObject(TOO_MANY);
  });

  test('a browser that signs in again is known only by its new value', async () => {
    const { store, signIn, remember } = await aSignInStore();
    const former = await remember(1);
    const known = await remember(1, former);
    for (let n = 0; n < 10; n++) await signIn({ password: WRONG_PASSWORD });
    expect(await signIn({ known: former })).toMatchObject(TOO_MANY);
    expect(await signIn({ known })).toMatchObject({ ok: true });
    expect(JSON.stringify(await store.entries())).not.toContain(known);
  });

  test('the known browsers of an account have thirty attempts together', async () => {
    const { signIn, remember } = await aSignInStore();
    const known = [await remember(1), await remember(1), await remember(1), await remember(1)];
    for (let n = 0; n < PASSWORDS_OF_KNOWN_BROWSERS; n++) {
      expect(await signIn({ password: WRONG_PASSWORD, known: known[n % 4] as string })).toMatchObject(WRONG);
    }
    expect(await signIn({ known: known[0] as string })).toMatchObject(TOO_MANY);
    expect(await signIn()).toMatchObject({ ok: true });
  });

  test('the ten newest browsers of an account are known, however many signed in', async () => {
    const { store, signIn, remember, turns } = await aSignInStore();
    const known: string[] = [];
    for (let n = 0; n <= MOST_KNOWN_BROWSERS; n++) {
      store.clock.at = toInstant(millis(store.clock.at) + 1000);
      known.push(await remember(1));
    }
    expect(await store.get('knownBrowsers').of(1)).toHaveLength(MOST_KNOWN_BROWSERS);
    for (const value of known) expect(await signIn({ known: value })).toMatchObject({ ok: true });
    expect(turns.lanes).toEqual(['stranger', ...Array(MOST_KNOWN_BROWSERS).fill('known')]);
  });

  test('right passwords use up no attempts', async () => {
    const { signIn } = await aSignInStore();
    for (let n = 0; n < 40; n++) expect(await signIn()).toMatchObject({ ok: true });
  });

  test('of a hundred simultaneous guesses only as many are verified as the limit allows', async () => {
    const { signIn, verified } = await aSignInStore();
    const guesses = Array.from({ length: 100 }, (_, n) => signIn({ password: `guess ${n}` }));
    const refused = (await Promise.all(guesses)).filter((answer) => !answer.ok && answer.code === 'too_many_attempts');
    expect(verified).toHaveLength(PASSWORDS_PER_ADDRESS_AND_EMAIL);
    expect(refused).toHaveLength(100 - PASSWORDS_PER_ADDRESS_AND_EMAIL);
  });

  test('simultaneous guesses from many IP addresses stay within the account’s limit', async () => {
    const { signIn, verified } = await aSignInStore();
    const from = addresses(100);
    await Promise.all(from.map((address) => signIn({ password: WRONG_PASSWORD, address })));
    expect(verified).toHaveLength(PASSWORDS_PER_EMAIL);
  });

  test('right passwords for one’s own account win no attempts at another', async () => {
    const { signIn, verified } = await aSignInStore();
    for (let n = 0; n < 20; n++) {
      await signIn({ email: 'buyer-2@example.com', password: WRONG_PASSWORD });
      await signIn({ password: PASSWORD, address: ADDRESS });
    }
    expect(verified.filter((hash) => hash === null)).toHaveLength(PASSWORDS_PER_ADDRESS_AND_EMAIL);
  });
});
