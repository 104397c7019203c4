import { describe, expect, test } from 'vitest';
import { ConfigError, checkWayIn, readConfig } from '../../runtimes/configuration/config.ts';
import { openRuntime } from '../../runtimes/lambda/open-runtime.ts';
import { configFaults } from '../support/config-faults.ts';

const UPSTREAM = {
  UPSTREAM_ISSUER: 'https://login.example.com/realms/shop',
  UPSTREAM_CLIENT_ID: 'account-service',
  UPSTREAM_CLIENT_SECRET: 'a secret',
  UPSTREAM_NAME: '우리 가게',
};

describe('the configuration of sign-in', () => {
  test('without configuration, passwords sign in and no provider does', () => {
    expect(readConfig({})).toMatchObject({ passwordSignIn: true, upstream: null });
  });

  test('four variables name a provider, and passwords can be turned off beside it', () => {
    const config = readConfig({ ...UPSTREAM, PASSWORD_SIGN_IN: 'off' });
    const upstream = {
      name: '우리 가게',
      issuer: 'https://login.example.com/realms/shop',
      clientId: 'account-service',
      clientSecret: 'a secret',
    };
    expect(config).toMatchObject({ passwordSignIn: false, upstream });
  });

  test('a partly configured provider is refused, with a line for each missing variable', () => {
    expect(configFaults({ UPSTREAM_ISSUER: UPSTREAM.UPSTREAM_ISSUER, UPSTREAM_NAME: 'Shop' })).toEqual([
      'UPSTREAM_CLIENT_ID takes a value where UPSTREAM_ISSUER has one; it is "".',
      'UPSTREAM_CLIENT_SECRET takes a value where UPSTREAM_ISSUER has one; it is "".',
    ]);
    expect(configFaults({ ...UPSTREAM, UPSTREAM_CLIENT_SECRET: '' })).toHaveLength(1);
  });

  test('a command runs even if only a team’s own program has the provider', () => {
    expect(readConfig({ PASSWORD_SIGN_IN: 'off' })).toMatchObject({ passwordSignIn: false, upstream: null });
  });

  test('a server needs passwords, a configured provider or one of a team’s own', () => {
    const off = readConfig({ PASSWORD_SIGN_IN: 'off' });
    expect(() => checkWayIn(off)).toThrow(
      new ConfigError(
        'PASSWORD_SIGN_IN takes on unless UPSTREAM_ISSUER is set, because one-time links alone are no way in; it is "off".',
      ),
    );
    checkWayIn(off, true);
    checkWayIn(readConfig({ ...UPSTREAM, PASSWORD_SIGN_IN: 'off' }));
    checkWayIn(readConfig({}));
  });

  test('a function on AWS, which has no team provider, needs a sign-in method too', () => {
    expect(() => openRuntime('account', { PASSWORD_SIGN_IN: 'off' })).toThrow(/^PASSWORD_SIGN_IN takes on unless/);
  });

  test('PASSWORD_SIGN_IN accepts only on and off', () => {
    expect(configFaults({ PASSWORD_SIGN_IN: 'no' })).toEqual(['PASSWORD_SIGN_IN takes one of on, off; it is "no".']);
  });

  test.each([
    'http://localhost:4000',
    'http://127.0.0.1:4000/realms/a',
    'http://[::1]:4000',
    'https://a.example/',
  ])('the issuer %s is accepted', (UPSTREAM_ISSUER) => {
    expect(readConfig({ ...UPSTREAM, UPSTREAM_ISSUER }).upstream?.issuer).toBe(UPSTREAM_ISSUER);
  });

  test.each([
    'http://login.example.com',
    'login.example.com',
    'https://a.example/?x=1',
    'ftp://a.example',
  ])('the issuer %s is refused', (UPSTREAM_ISSUER) => {
    expect(configFaults({ ...UPSTREAM, UPSTREAM_ISSUER })).toEqual([
      `UPSTREAM_ISSUER takes the https URL of an OpenID Connect issuer such as https://login.example.com; it is "${UPSTREAM_ISSUER}".`,
    ]);
  });

  test('a client secret is never repeated', () => {
    const [line, ...more] = configFaults({ ...UPSTREAM, UPSTREAM_CLIENT_SECRET: 'se\ncret' });
    expect(more).toEqual([]);
    expect(line).toBe('UPSTREAM_CLIENT_SECRET takes a client secret of 1 to 1000 characters; it is not shown.');
  });
});
