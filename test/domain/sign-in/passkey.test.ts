import { describe, expect, test } from 'vitest';
import {
  isFreshCounter,
  isOpenChallenge,
  MOST_PASSKEYS,
  newChallenge,
  newPasskey,
  type Passkey,
  passkeyHandle,
  relyingParty,
} from '../../../domain/sign-in/passkey.ts';
import { NOW } from '../../support/builders.ts';

const MADE = { id: 'id', public_key: 'key', counter: 0, transports: ['internal'] };

describe('the rules of passkeys', () => {
  test('a passkey shows the owner’s name for it, or its day', () => {
    const named = (name: string) => newPasskey(MADE, { account_id: 1, name }, [], NOW);
    expect(named(' Laptop ')).toMatchObject({ value: { name: 'Laptop', account_id: 1, last_used_at: null } });
    expect(named('  ')).toMatchObject({ value: { name: `Passkey ${NOW.slice(0, 10)}` } });
  });

  test('an account has a limited number of passkeys', () => {
    const held = Array<Passkey>(MOST_PASSKEYS).fill({
      ...MADE,
      account_id: 1,
      name: '',
      created_at: NOW,
      last_used_at: null,
    });
    expect(newPasskey(MADE, { account_id: 1, name: '' }, held, NOW)).toMatchObject({ code: 'too_many_passkeys' });
    expect(newPasskey(MADE, { account_id: 1, name: '' }, held.slice(1), NOW).ok).toBe(true);
  });

  test.each([
    [0, 0, true],
    [0, 1, true],
    [4, 5, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
  ])('after the counter %i, the counter %i is accepted: %s', (before, after, isFresh) => {
    expect(isFreshCounter(before, after)).toBe(isFresh);
  });

  test('a challenge is valid for five minutes', () => {
    const challenge = newChallenge({ bound_to: 'a', challenge: 'b' }, '2026-03-01T12:00:00.000Z');
    expect(isOpenChallenge(challenge, '2026-03-01T12:04:59.999Z')).toBe(true);
    expect(isOpenChallenge(challenge, '2026-03-01T12:05:00.000Z')).toBe(false);
  });

  test.each([
    ['https://account.shop.example', { id: 'account.shop.example', origin: 'https://account.shop.example' }],
    ['http://localhost:8790', { id: 'localhost', origin: 'http://localhost:8790' }],
    ['http://127.0.0.1:8790', null],
    ['http://[::1]:8790', null],
    ['https://203.0.113.9', null],
    ['http://account.shop.example', null],
  ])('the passkeys of the host %s belong to %j', (url, site) => {
    expect(relyingParty(url)).toEqual(site);
  });

  test('the user handle is the account number in base64url', () => {
    expect(passkeyHandle(1)).toBe('MQ');
  });
});
