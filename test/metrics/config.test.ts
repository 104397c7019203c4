import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../runtimes/configuration/config.ts';

test('a process has no metrics unless METRICS_PORT is set, even if METRICS_ADDRESS is', () => {
  expect(readConfig({}).metrics).toBeUndefined();
  expect(readConfig({ METRICS_ADDRESS: '10.0.0.1' }).metrics).toBeUndefined();
});

test('the metrics listen on the loopback address unless METRICS_ADDRESS names another', () => {
  expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ port: 9464, address: '127.0.0.1' });
  expect(readConfig({ METRICS_PORT: '0', METRICS_ADDRESS: '::' }).metrics).toEqual({ port: 0, address: '::' });
});

test.each([
  [{ METRICS_PORT: '70000' }, 'METRICS_PORT takes a whole number from 0 to 65535; it is "70000".'],
  [
    { METRICS_PORT: '9464', METRICS_ADDRESS: 'localhost' },
    'METRICS_ADDRESS takes an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them; it is "localhost".',
  ],
])('an invalid value stops the start with a line that names the variable: %o', (env, message) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(message));
});
