import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli, type Ran } from '../support/cli.ts';

let folder: string;
const run = (...args: string[]): Promise<Ran> => cli(['agent-token', ...args], { DATA_DIR: join(folder, 'data') });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-agents-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the agent-token command', () => {
  test('create shows the token once, list shows only its beginning, and revoke removes it from the list', async () => {
    const created = await run('create', '--role', 'collect', '--name', ' Night \u202ecollector ', '--json');
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const { id, token, ...more } = created.json() as { id: number; token: string };
    expect(more).toEqual({ role: 'collect', name: 'Night  collector' });
    expect(token).toMatch(/^agt_[0-9A-Za-z]{49}$/);

    const listed = await run('list', '--json');
    expect(listed.json()).toEqual([
      { id, prefix: token.slice(0, 14), role: 'collect', name: 'Night  collector', created_at: expect.any(String) },
    ]);
    expect((await run('list')).stdout).not.toContain(token);

    expect(await run('revoke', String(id))).toMatchObject({ code: 0, stdout: `Agent token ${id} is revoked.\n` });
    expect((await run('list', '--json')).json()).toEqual([]);
    const again = await run('revoke', String(id), '--json');
    expect(again).toMatchObject({ code: 1, stderr: `There is no live agent token ${id}.\n` });
    expect(again.json()).toMatchObject({ error: 'agent_token_not_found' });
  });

  test('create prints the value, the role and the name for people', async () => {
    const { stdout } = await run('create', '--role', 'review', '--name', 'reviewer');
    expect(stdout).toMatch(
      /^Agent token \d+, shown this once:\n\n {2}agt_\w{49}\n\nrole {2}review\nname {2}reviewer\n$/,
    );
  });

  test('a name of only invisible characters is refused', async () => {
    const refused = await run('create', '--role', 'read', '--name', '\u200b\u200b', '--json');
    expect([refused.code, refused.json()]).toEqual([1, { error: 'name_is_empty', message: expect.any(String) }]);
  });
});
