import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { isTokenFor, type SignInToken } from '../../../domain/sign-in/oauth-grant.ts';
import {
  canFinish,
  matchUpstream,
  newUpstreamSignIn,
  type UpstreamIdentity,
  verifiedEmail,
} from '../../../domain/sign-in/upstream-sign-in.ts';
import { anAccount } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';

const anIdentity = (overrides: Partial<UpstreamIdentity> = {}): UpstreamIdentity => ({
  issuer: 'https://login.example.com',
  subject: 's1',
  email: 'buyer-1@example.com',
  email_verified: true,
  name: 'Buyer',
  ...overrides,
});

describe('the account of a person from an identity provider', () => {
  const linked = anAccount({ id: 1 });
  const withEmail = { account: anAccount({ id: 2 }), isTaken: false };

  test('a linked identity signs in to its account, whatever its email address is', () => {
    const signedIn = { ok: true, value: { step: 'sign_in', account: linked } };
    expect(matchUpstream(anIdentity(), linked, withEmail)).toEqual(signedIn);
    expect(matchUpstream(anIdentity({ email_verified: false }), linked, undefined)).toEqual(signedIn);
    expect(matchUpstream(anIdentity({ email: null }), linked, undefined)).toEqual(signedIn);
  });

  test('a new identity is linked to the account with its verified email address', () => {
    expect(matchUpstream(anIdentity(), undefined, withEmail)).toEqual({
      ok: true,
      value: { step: 'link', account: withEmail.account },
    });
  });

  test('a new identity never gets the account of another person at the provider', () => {
    expect(matchUpstream(anIdentity(), undefined, { ...withEmail, isTaken: true })).toMatchObject({
      ok: false,
      code: 'account_taken',
    });
  });

  test('a new identity without an account gets one', () => {
    expect(matchUpstream(anIdentity(), undefined, undefined)).toEqual({
      ok: true,
      value: { step: 'create', email: 'buyer-1@example.com', name: 'Buyer' },
    });
  });

  test('an unverified email address finds and creates no account', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.boolean(), (email, there) => {
        const judged = matchUpstream(
          anIdentity({ email, email_verified: false }),
          undefined,
          there ? withEmail : undefined,
        );
        expect(judged).toMatchObject({ ok: false, code: 'email_not_verified' });
      }),
    );
  });

  test.each([
    null,
    '',
    'nobody',
    'a b@example.com',
    '@',
    `${'a'.repeat(251)}@b.c`,
    '\u212abuyer@example.com',
    'käufer@example.com',
    'buyer@\u212aexample.com',
    'a\u0000b@example.com',
    'a@b@example.com',
  ])('the address %j creates no account, even if the provider verified it', (email) => {
    expect(verifiedEmail(anIdentity({ email }))).toBeNull();
  });
});

test('a sign-in at the provider can be finished for ten minutes', () => {
  const begun = newUpstreamSignIn(
    { hash: 'h', checks: { state: 's', nonce: 'n', code_verifier: 'v' }, next: '/' },
    NOW,
  );
  const end = millis(NOW) + 600_000;
  expect(canFinish(begun, toInstant(end - 1))).toBe(true);
  expect(canFinish(begun, toInstant(end))).toBe(false);
});

test('a verified email address is normalized, and one in other characters than ASCII finds nothing', () => {
  expect(verifiedEmail(anIdentity({ email: 'User@XN--MNCHEN-3YA.de' }))).toBe('user@xn--mnchen-3ya.de');
  for (const email of ['user@münchen.de', '\u212a@example.com', 'a@b', '<a@b.co>']) {
    expect(verifiedEmail(anIdentity({ email }))).toBeNull();
  }
});

test('a token is valid only for its own resource, until it expires', () => {
  const token = { resource: 'https://api.example.com', expires_at: NOW } as SignInToken;
  const before = toInstant(millis(NOW) - 1);
  expect(isTokenFor(token, token.resource, before)).toBe(true);
  expect(isTokenFor(token, token.resource, NOW)).toBe(false);
  expect(isTokenFor(token, 'https://design.example.com', before)).toBe(false);
});
