import { expect, test } from 'vitest';
import { placeOf, readConfig } from '../../runtimes/configuration/config.ts';
import { BUILT_IN } from '../../runtimes/engines/built-in.ts';
import { cliCommand } from '../../runtimes/express/welcome.ts';

test.each([
  [{}, 'npm run -s cli --'],
  [{ DATA_DIR: '/srv/shop' }, 'DATA_DIR=/srv/shop npm run -s cli --'],
  [{ DATA_DIR: 'the shop' }, "DATA_DIR='the shop' npm run -s cli --"],
  [{ STORE: 'dynamodb', TABLE_NAME: 'shop' }, 'STORE=dynamodb TABLE_NAME=shop npm run -s cli --'],
  [{ DATA_DIR: '/var/lib/account-service', ACCOUNT_SERVICE_CLI: 'account-service' }, 'account-service'],
])('with %j the operator’s command line is %s', (env, command) => {
  expect(cliCommand(env, readConfig(env))).toBe(command);
});

const own = { tables: { notebook: { ...BUILT_IN.tables.dynamodb, variable: 'NOTEBOOK', takes: 'an address' } } };
const onNotebook = { STORE: 'notebook', NOTEBOOK: 'notebook://shop:secret@db/shop' };

test('on a team’s engine, the command line is the team’s program, and no command shows a password', () => {
  const config = readConfig(onNotebook, own);
  const variables = "STORE=notebook NOTEBOOK='notebook://shop:…@db/shop'";
  expect(cliCommand(onNotebook, config, 'node cli.ts')).toBe(`${variables} node cli.ts`);
  expect(cliCommand(onNotebook, config)).toBe(`${variables} YOUR_CLI`);
  expect(placeOf(config)).toBe('NOTEBOOK notebook://shop:…@db/shop');
});

test.each([
  ['postgres://shop:secret@db/shop', 'postgres://shop:…@db/shop'],
  ['postgres://shop:se/c@r:et@db:5432/shop', 'postgres://shop:…@db:5432/shop'],
  ['//shop:secret@db/shop', '//shop:…@db/shop'],
  ['postgres:///shop?user=shop&password=secret&host=/run', 'postgres:///shop?user=shop&password=…&host=/run'],
  ['postgres://db:5432/shop?sslmode=verify-full', 'postgres://db:5432/shop?sslmode=verify-full'],
])('the address %s is shown as %s', (address, shown) => {
  expect(placeOf(readConfig({ STORE: 'notebook', NOTEBOOK: address }, own))).toBe(`NOTEBOOK ${shown}`);
});
