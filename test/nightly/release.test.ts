import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyProject } from '../support/project-files.ts';
import { readDocuments } from '../tools/documents/read.ts';

const RELEASE_MS = 600_000;
const PREPARED = [
  'git init --quiet --bare ../origin.git',
  'git init --quiet --initial-branch main',
  'git remote add origin ../origin.git',
  'git config user.name Maintainer',
  'git config user.email maintainer@example.com',
  'git add --all',
  'git commit --quiet --message Sources',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-release-'));
  await copyProject(join(folder, 'sources'), ['.']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  'the release commands of CONTRIBUTING.md pack each package and push its tags',
  {
    timeout: RELEASE_MS,
  },
  async () => {
    const { commands = [] } = readDocuments().find(({ name }) => name === 'CONTRIBUTING.md') ?? {};
    const texts = commands.map(({ text }) => text);
    const recipe = texts.slice(texts.findIndex((text) => text.startsWith('VERSION='))).join('\n');
    const sources = join(folder, 'sources');
    const run = (script: string) =>
      execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: sources, encoding: 'utf8', stdio: 'pipe' });
    run([...PREPARED, recipe.replace(/^VERSION=.*$/m, 'VERSION=9.8.7')].join('\n'));
    expect((await readdir(join(sources, 'release'))).sort()).toEqual([
      'account-service-9.8.7.tgz',
      'account-service-buyer-9.8.7.tgz',
      'account-service-client-9.8.7.crate',
      'account-service-client-9.8.7.tgz',
      'account_service_client-9.8.7-py3-none-any.whl',
      'cargo',
      'venv',
    ]);
    expect(run('git ls-remote --tags origin | sed "s:.*refs/tags/::" | grep -v "\\^"')).toBe(
      'clients/go/v9.8.7\nv9.8.7\n',
    );
    expect(run('git status --short')).toBe('');
    expect(run('tar -xzOf release/account-service-buyer-9.8.7.tgz package/dist/my-software.js')).toContain('sign-in');
  },
);
