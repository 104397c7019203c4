import { expect, test } from 'vitest';
import { cliCommand } from '../../runtimes/express/cli-command.ts';

test.each([
  [{}, 'npm run -s cli --'],
  [{ DATA_DIR: '/srv/shop' }, 'DATA_DIR=/srv/shop npm run -s cli --'],
  [{ DATA_DIR: 'the shop' }, "DATA_DIR='the shop' npm run -s cli --"],
  [{ DATA_DIR: '/var/lib/account-service', ACCOUNT_SERVICE_CLI: 'account-service' }, 'account-service'],
])('with %j the operator’s command line is %s', (env, command) => {
  expect(cliCommand(env)).toBe(command);
});
