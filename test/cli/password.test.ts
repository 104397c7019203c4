import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { scryptPasswords } from '../../adapters/crypto/passwords.ts';
import { readPassword } from '../../runtimes/cli/account.ts';
import { openService } from '../processes/data-dir.ts';
import { cli } from '../support/cli.ts';
import { noTerminal, terminalTyping } from './terminal.ts';

const SECRET = 'correct horse';
const folder = mkdtempSync(join(tmpdir(), 'cli-password-'));
const env = { DATA_DIR: join(folder, 'data') };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const passwordOf = async (account_id: number): Promise<string | null> => {
  const { service, close } = await openService(env.DATA_DIR);
  const account = await service.get('accounts').get(account_id);
  await close();
  return account?.password_hash ?? null;
};

describe('a password at a terminal', () => {
  test('a password is typed twice and not shown', async () => {
    const { terminal, seen } = terminalTyping(`${SECRET}\n${SECRET}\n`);
    expect(await readPassword({ password: true }, terminal)).toEqual({ ok: true, value: SECRET });
    expect(seen()).toBe('Password: \nAgain: \n');
  });

  test.each([
    ['two that differ', `${SECRET}\n${SECRET}s\n`, 'passwords_differ'],
    ['one that is too short', 'short\nshort\n', 'password_too_short'],
    ['none, because the person leaves', `${SECRET}\n\u0003`, 'no_password'],
  ])('a password is refused for %s', async (_, typed, code) => {
    expect(await readPassword({ password: true }, terminalTyping(typed).terminal)).toMatchObject({ ok: false, code });
  });

  test('a password prompt is refused in a script, with advice to pipe the password', async () => {
    expect(await readPassword({ password: true }, noTerminal(SECRET))).toMatchObject({
      code: 'no_terminal',
      message: expect.stringContaining('--password-stdin'),
    });
  });
});

describe('a password in the arguments', () => {
  test.each([
    ['account', 'add', '--email', 'a@example.com', '--password', SECRET],
    ['account', 'add', '--email', 'a@example.com', `--password=${SECRET}`],
    ['account', 'password', '--account', '1', '--password', SECRET],
  ])('the arguments %s %s with a password are refused with the reason, and the password is not repeated', async (...args) => {
    const { code, stdout, stderr } = await cli(args, env);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('list of processes');
    expect(stderr).toContain('--password-stdin');
    expect(stderr).not.toContain(SECRET);
  });

  test('the help shows no value for the password option', async () => {
    const { stdout } = await cli(['account', 'add', '--help']);
    expect(stdout).toMatch(/--password +ask for a password, 8 to 256 characters/);
  });
});

describe('a password on standard input', () => {
  test('account add and account password read the first line', async () => {
    const added = await cli(
      ['account', 'add', '--email', 'ann@example.com', '--password-stdin', '--json'],
      env,
      `${SECRET}\nmore\n`,
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const { id } = added.json();
    expect(await scryptPasswords.verify(SECRET, await passwordOf(id))).toBe(true);
    const reset = await cli(
      ['account', 'password', '--account', String(id), '--password-stdin'],
      env,
      'battery staple',
    );
    expect(reset).toMatchObject({ code: 0, stdout: expect.stringContaining(`Account ${id} has a new password`) });
    expect(await scryptPasswords.verify('battery staple', await passwordOf(id))).toBe(true);
  });

  test.each([
    ['nothing', '', 'no_password'],
    ['seven characters', '1234567\n', 'password_too_short'],
  ])('%s on standard input is refused with a code, and nothing changes', async (_, input, error) => {
    const args = ['account', 'add', '--email', 'bob@example.com', '--password-stdin', '--json'];
    const refused = await cli(args, env, input);
    expect([refused.code, refused.json().error]).toEqual([1, error]);
    expect((await cli(['account', 'list'], env)).stdout).not.toContain('bob@example.com');
  });
});

test('account add says that no password was set if no option asks for one', async () => {
  const added = await cli(['account', 'add', '--email', 'eve@example.com'], env, `${SECRET}\n`);
  expect(added.stdout).toMatch(/\n\nNo password was set; "account password --account \d+" sets one\.\n$/);
});
