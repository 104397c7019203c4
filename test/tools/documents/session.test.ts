import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-session-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** True while there is such a process. A zombie, which nobody has waited for, has ended. */
const runs = async (pid: string): Promise<boolean> => {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', pid]).catch(() => ({ stdout: '' }));
  return /^[^Z\s]/.test(stdout);
};

test('the shell of a session and its commands end with the process that opened it', async () => {
  const program = `
    import { Session } from '${join(import.meta.dirname, 'session.ts')}';
    const session = new Session('${folder}', '${folder}', process.env);
    await session.open();
    const { stdout } = await session.run('sleep 600 & echo $! $$');
    console.log(stdout);
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const pids = stdout.trim().split(' ');
  expect(pids).toHaveLength(2);
  for (const pid of pids) await expect.poll(() => runs(pid)).toBe(false);
});
