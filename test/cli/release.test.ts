import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli, type Ran } from '../support/cli.ts';
import { addFiles, productEntry, releaseEntry } from '../support/store-folder.ts';

let folder: string;

const run = (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: join(folder, 'data') });
const release = (name: string, version: string, ...args: string[]): Promise<Ran> =>
  run('release', name, 'memo', version, ...args);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-release-'));
  const document = {
    format: 1,
    products: [
      productEntry({ id: 1, slug: 'memo' }),
      productEntry({ id: 2, slug: 'pen', version_scheme: 'sparkle', delivery: { strategy: 'macos-app' } }),
    ],
    releases: [
      releaseEntry({ id: 1 }),
      releaseEntry({ id: 2, version: '2.0.0' }),
      releaseEntry({ id: 3, product_id: 2, version: '1.2b1', build: '205', channel: 'beta' }),
      releaseEntry({ id: 4, product_id: 2, version: '1.2b2', build: '211', channel: 'beta' }),
      releaseEntry({ id: 5, product_id: 2, version: '1.1.1', build: '210' }),
    ],
  };
  await addFiles(folder, { 'store.json': JSON.stringify(document), 'tool.zip': 'tool' });
  expect(await run('import', join(folder, 'store.json'))).toMatchObject({ code: 0 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the release commands', () => {
  test('release withdraw needs --yes in a script, and --dry-run says what buyers would be offered', async () => {
    const tried = await release('withdraw', '2.0', '--reason', 'It deletes files.', '--dry-run');
    const would = 'Version 2.0.0 of memo would be withdrawn. Buyers on channel stable would be offered 1.0.0.';
    expect(tried).toMatchObject({
      code: 0,
      stdout: `Nothing has changed. "2.0" is version 2.0.0. ${would}\n`,
      stderr: '',
    });
    const dry = await release('withdraw', '2.0', '--reason', 'It deletes files.', '--dry-run', '--yes', '--json');
    expect(dry.json()).toEqual({
      version: '2.0.0',
      requested_version: '2.0',
      result: 'dry_run',
      offered: [{ platform: null, version: '1.0.0' }],
      led_back: [],
    });
    const asked = await release('withdraw', '2.0.0', '--reason', 'It deletes files.');
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([
      1,
      '',
      `${would} Nothing has changed yet; add --yes to continue.\n`,
    ]);
    expect((await run('release', 'list', 'memo', '--json')).json()).toMatchObject([{ state: 'offered' }, {}]);
    const done = await release('withdraw', '2.0.0', '--reason', 'It deletes files.', '--yes', '--json');
    expect(done.json()).toMatchObject({
      version: '2.0.0',
      withdrawn: { reason: 'It deletes files.' },
      result: 'changed',
      offered: [{ platform: null, version: '1.0.0' }],
    });
    const listed = await run('release', 'list', 'memo');
    expect(listed.stdout).toMatch(/2\.0\.0 +- +stable +withdrawn .* It deletes files\.\n/);
    const refused = await run('publish', 'memo', join(folder, 'tool.zip'), '--version', '2.0.0');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'Version 2.0.0 was withdrawn: It deletes files. Publish a new version, or offer this one again with "release restore".\n',
    ]);
    const restored = await release('restore', '2.0.0');
    expect(restored.stdout).toContain('Version 2.0.0 of memo is offered on channel stable since 2025-01-01');
  });

  test('release move puts a release on another channel and says what both channels offer, as release list shows', async () => {
    const moved = await release('move', '2.0.0', '--channel', 'beta');
    expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining('on channel beta')]);
    expect(moved.stdout).toContain(
      'Buyers on channel beta are offered 2.0.0. Buyers on channel stable are offered 1.0.0.',
    );
    expect((await run('release', 'list', 'memo', '--json')).json()).toMatchObject([
      { version: '2.0.0', channel: 'beta', state: 'offered' },
      { version: '1.0.0', channel: 'stable', state: 'offered' },
    ]);
  });

  test('a release published for later is scheduled, and release schedule changes its date', async () => {
    const file = join(folder, 'tool.zip');
    const later = ['--version', '3.0.0', '--released-at', '2999-01-31T09:00:00+09:00'];
    const published = await run('publish', 'memo', file, ...later);
    expect(published.stdout).toContain('Nobody is offered the release before 2999-01-31T00:00:00.000Z.');
    const [newest] = (await run('release', 'list', 'memo', '--json')).json();
    expect(newest).toMatchObject({ version: '3.0.0', state: 'scheduled' });
    const sooner = await release('schedule', '3.0.0', '--released-at', '2998-01-31T00:00:00Z');
    expect(sooner.stdout).toBe(
      'Version 3.0.0 of memo is on channel stable and is offered from 2998-01-31T00:00:00.000Z on.\n',
    );
    const out = await release('schedule', '1.0.0', '--released-at', '2998-01-31T00:00:00Z');
    expect([out.code, out.stderr]).toEqual([1, expect.stringContaining('came out at 2025-01-01T00:00:00.000Z')]);
  });

  test('a withdrawal that lets Sparkle downgrade copies says so, before and afterwards', async () => {
    const withdraw = (...more: string[]) =>
      run('release', 'withdraw', 'pen', '1.2b2', '--reason', 'It deletes files.', ...more);
    const back = (leads: string) =>
      `Sparkle ${leads} copies of version 1.2b1 back to version 1.1.1, because 1.1.1 has the higher build (210, against 205): publish a later version in the channel beta with a build above 210, or withdraw version 1.2b1.`;
    expect((await withdraw('--dry-run')).stdout).toContain(back('would lead'));
    expect((await withdraw('--yes')).stdout).toContain(`offered 1.2b1. ${back('leads')}\n`);
  });

  test('a version in another spelling is shown as stored', async () => {
    const file = join(folder, 'tool.zip');
    const published = await run('publish', 'memo', file, '--version', 'v1.3');
    expect(published.stdout).toMatch(/^Published\. "v1\.3" is published as 1\.3\.0\.\n/);
    const again = await run('publish', 'memo', file, '--version', '1.3');
    expect(again.stdout).toMatch(/^Nothing changed: the file is already published\. "1\.3" is version 1\.3\.0\.\n/);
    const json = await run('publish', 'memo', file, '--version', '1.3', '--json');
    expect(json.json()).toMatchObject({ version: '1.3.0', requested_version: '1.3', result: 'unchanged' });
    const moved = await release('move', '1.3', '--channel', 'beta');
    expect(moved.stdout).toMatch(/^"1\.3" is version 1\.3\.0\. Version 1\.3\.0 of memo is offered on channel beta /);
    expect((await release('move', '1.3', '--channel', 'beta', '--json')).json()).toMatchObject({
      version: '1.3.0',
      requested_version: '1.3',
    });
    const exact = await release('move', '1.3.0', '--channel', 'beta');
    expect(exact.stdout).toMatch(/^Nothing changed\. Version 1\.3\.0 of memo/);
  });
});
