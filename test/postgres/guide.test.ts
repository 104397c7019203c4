import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, inject, test } from 'vitest';
import { inDatabase, urlOf } from './databases.ts';

const folder = mkdtempSync(join(tmpdir(), 'machines-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'machines.md'), 'utf8');
/** The commands of the guide. Its packages are already installed here. */
const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .filter((command) => !command.startsWith('npm install'));

test('the guide for several machines goes from an empty server to a restored dump', async () => {
  const bin = globSync('/usr/lib/postgresql/*/bin').join(':');
  const env = {
    ...process.env,
    ...inject('postgres'),
    PATH: `${process.env['PATH']}:${bin}`,
    STORE: 'postgres',
    DATABASE_URL: urlOf('shop').replace('store@', 'shop@'),
    DATA_DIR: join(folder, 'data'),
  };
  const said: string[] = [];
  for (const command of commands) {
    const there = command
      .replaceAll('shop.dump', join(folder, 'shop.dump'))
      .replace('filesystem:files', `filesystem:${folder}/files`);
    // The store that moves from one machine has its own database.
    const moved = there
      .replace('folder:.data', `folder:${folder}/one`)
      .replace('"$DATABASE_URL,', `"${urlOf('moved')},`);
    if (moved !== there && command.includes('migrate')) {
      await inDatabase(urlOf('postgres'), 'CREATE DATABASE moved');
      const one = { ...process.env, DATA_DIR: join(folder, 'one') };
      await promisify(execFile)('npm', ['run', '-s', 'cli', '--', 'import', 'examples/store/store.json'], { env: one });
    }
    const ran = await promisify(execFile)('bash', ['-c', moved], { env }).catch((error) => error);
    // The tests' server does not wait for the disk, and this is the only fault that the doctor finds.
    const wrong = `${ran.stdout}${ran.stderr}`.split('\n').filter((line) => line.includes('WRONG'));
    if (ran.code && !(wrong.length > 0 && wrong.every((line) => line.includes('fsync=on'))))
      said.push(`${moved}: ${ran.stdout}${ran.stderr}`);
  }
  expect(said).toEqual([]);
  expect(commands.length).toBeGreaterThan(9);
}, 180_000);
