import { expect, test } from 'vitest';
import { placeOf, readConfig } from '../../runtimes/composition/config.ts';
import { BUILT_IN } from '../../runtimes/composition/engines/built-in.ts';
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

const own = { tables: { postgres: { ...BUILT_IN.tables.dynamodb, variable: 'DATABASE_URL', takes: 'an address' } } };
const onPostgres = { STORE: 'postgres', DATABASE_URL: 'postgres://shop:secret@db/shop' };

test('on an engine of a team, the command line is that of the team’s program, and no command shows a password', () => {
  const config = readConfig(onPostgres, own);
  const variables = "STORE=postgres DATABASE_URL='postgres://shop:…@db/shop'";
  expect(cliCommand(onPostgres, config, 'node cli.ts')).toBe(`${variables} node cli.ts`);
  expect(cliCommand(onPostgres, config)).toBe(`${variables} YOUR_CLI`);
  expect(placeOf(config)).toBe('DATABASE_URL postgres://shop:…@db/shop');
});
