import { describe, expect, test } from 'vitest';
import { byHost } from '../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { settingsOf } from '../../runtimes/composition/settings.ts';
import { ConfigError, readConfig } from '../../runtimes/configuration/config.ts';
import { memoryEngines } from '../support/memory-engines.ts';

describe('the origins of pages that can call the hosts', () => {
  test('no origin is allowed unless the configuration names it', () => {
    expect(readConfig({}).corsOrigins).toEqual([]);
  });

  test('several origins are separated by commas', () => {
    const CORS_ORIGINS = 'https://shop.example.com, http://localhost:5173,';
    expect(readConfig({ CORS_ORIGINS }).corsOrigins).toEqual(['https://shop.example.com', 'http://localhost:5173']);
  });

  test.each([
    '*',
    'null',
    'shop.example.com',
    'https://shop.example.com/',
    'https://shop.example.com/path',
    'https://*.example.com',
    'https://Shop.example.com',
    'https://shop.example.com:443',
    'https://user@shop.example.com',
    'ftp://shop.example.com',
    'https://shop.example.com https://other.example.com',
  ])('the origin %s stops the start with a line that explains origins', (CORS_ORIGINS) => {
    expect(() => readConfig({ CORS_ORIGINS })).toThrow(
      new ConfigError(
        `CORS_ORIGINS takes origins with commas between them, such as https://shop.example.com, in lower case and without a path; it is "${CORS_ORIGINS}".`,
      ),
    );
  });
});

describe('the settings against abuse', () => {
  test('an IP address can request 600 files a minute, and the log has addresses, unless configured otherwise', () => {
    expect(readConfig({})).toMatchObject({ filesPerAddress: 600, logAddresses: true });
    const env = { RATE_LIMIT_FILES_PER_MINUTE: '50', LOG_ADDRESSES: 'off' };
    expect(readConfig(env)).toMatchObject({ filesPerAddress: 50, logAddresses: false });
  });

  test('an account has three live keys in each scope unless KEYS_PER_SCOPE says otherwise', () => {
    const quotaOf = (env: Record<string, string>) => {
      const config = readConfig(env);
      const urls = byHost((host) => `https://${host}.example.com`);
      return bootstrap(
        settingsOf(config, urls, () => {}),
        memoryEngines(),
        EVERY_AREA,
      ).get('keyQuota');
    };
    expect([quotaOf({}), quotaOf({ KEYS_PER_SCOPE: '10' })]).toEqual([3, 10]);
    for (const wrong of ['0', '31', 'ten'])
      expect(() => readConfig({ KEYS_PER_SCOPE: wrong })).toThrow('KEYS_PER_SCOPE');
  });

  test('an invalid value of LOG_ADDRESSES is named', () => {
    expect(() => readConfig({ LOG_ADDRESSES: 'no' })).toThrow('LOG_ADDRESSES takes one of on, off; it is "no".');
  });
});

describe('the proxies whose header is trusted', () => {
  test('addresses, ranges and names of ranges are accepted', () => {
    const TRUSTED_PROXIES = 'loopback, 10.0.0.0/8, 192.0.2.7, 2001:db8::/32, ::1';
    expect(readConfig({ TRUSTED_PROXIES }).trustedProxies).toEqual([
      'loopback',
      '10.0.0.0/8',
      '192.0.2.7',
      '2001:db8::/32',
      '::1',
    ]);
  });

  test.each([
    '10.0.0.0/40',
    '10.0.0.0/0',
    '10.0.0.300',
    '1234',
    '::1/129',
    ':::',
    '10.0.0.0/8/8',
  ])('the proxy value %s stops the start with a line that names the variable', (TRUSTED_PROXIES) => {
    expect(() => readConfig({ TRUSTED_PROXIES })).toThrow(
      new ConfigError(
        `TRUSTED_PROXIES takes addresses or ranges with commas between them, such as 10.0.0.0/8, loopback; it is "${TRUSTED_PROXIES}".`,
      ),
    );
  });
});
