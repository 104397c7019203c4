import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../runtimes/configuration/config.ts';
import { checkPageUrls } from '../../runtimes/express/host-apps.ts';
import { start } from '../../runtimes/express/start.ts';

describe('the public address of a host with pages', () => {
  test.each([
    {},
    { ACCOUNT_URL: 'https://account.example.com/', DESIGN_URL: 'https://example.com:8788' },
    { API_URL: 'https://shop.example/shop', APP_URL: 'https://shop.example/apps' },
  ])('the public address can have a name and a port, while the other hosts can have a path too: %j', (env) => {
    expect(() => checkPageUrls(readConfig(env))).not.toThrow();
  });

  test('the public address with a path is refused, and both wrong ones are named', () => {
    const config = readConfig({ ACCOUNT_URL: 'https://shop.example/account', DESIGN_URL: 'https://shop.example/d/' });
    expect(() => checkPageUrls(config)).toThrow(ConfigError);
    expect(() => checkPageUrls(config)).toThrow(
      /^ACCOUNT_URL takes a URL without a path, .* it is "https:\/\/shop\.example\/account"\. .*\nDESIGN_URL takes /,
    );
  });

  test('a public address with a path stops the start of the server', async () => {
    const env = { STORE: 'memory', OBJECTS: 'memory', ACCOUNT_URL: 'https://shop.example/account' };
    await expect(start(env)).rejects.toThrow('ACCOUNT_URL takes a URL without a path');
  });
});
