import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SkillFolder } from '../../adapters/filesystem/skill-folder.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { packageRoot } from '../../runtimes/configuration/installation.ts';

const FOLDER = join(packageRoot(), 'adapters', 'design', 'skill');

describe('the skill package of the design host', () => {
  test('the package has every file of its folder, a name, a version and a description of its use', async () => {
    const { name, version, files } = await new SkillFolder(FOLDER).read();
    const names = (await readdir(FOLDER, { recursive: true })).filter((path) => path.endsWith('.md'));
    expect(files.map(({ path }) => path)).toEqual(names.map((path) => path.replaceAll('\\', '/')).sort());
    expect([name, version]).toEqual(['design-host', expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    const [, description = ''] = /^description: (.+)$/m.exec(await readFile(join(FOLDER, 'SKILL.md'), 'utf8')) ?? [];
    expect(description.length).toBeGreaterThan(60);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description).toContain('Use it to');
  });

  test('each link in the package leads to a file of the package', async () => {
    const { files } = await new SkillFolder(FOLDER).read();
    const paths = files.map(({ path }) => path);
    for (const { path, text } of files) {
      for (const [, target] of text.matchAll(/\]\(([^)]+)\)/g)) {
        expect(paths, `${path} links to ${target}`).toContain(join(path, '..', target as string));
      }
    }
  });

  test('the files name every endpoint for agents with its method and path', async () => {
    const { files } = await new SkillFolder(FOLDER).read();
    const text = files.map((file) => file.text).join('\n');
    const forAgents = allEndpoints.filter(
      ({ host, access, protocol }) => host === 'design' && access.credential === 'agent' && !protocol,
    );
    expect(forAgents.length).toBeGreaterThan(6);
    const unnamed = forAgents.filter(({ method, path }) => !text.includes(`\`${method} ${path}`));
    expect(unnamed.map(({ id }) => id)).toEqual([]);
  });

  test('a folder without a version is refused', async () => {
    await expect(new SkillFolder(join(packageRoot(), 'docs')).read()).rejects.toThrow('SKILL.md has no name.');
  });
});
