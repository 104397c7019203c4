import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** A missing tool, described in one line. */
export class Missing extends Error {
  override name = 'Missing';
}

/** Runs a tool to its end, without its output. Throws an Error with its last output if it fails. */
export const run = async (command: string, args: readonly string[], cwd?: string): Promise<void> => {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said = (said + text).slice(-2000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} failed: ${said.trim()}`);
};

/** Tests whether a tool is installed and runs. */
export const has = (command: string, ...args: readonly string[]): Promise<boolean> =>
  run(command, args).then(
    () => true,
    () => false,
  );

/**
 * Returns a cache folder outside the project, which `make` fills once. An interrupted attempt leaves no such folder.
 * The downloaded programs may not be distributed with the project.
 */
export const cached = async (name: string, make: (folder: string) => Promise<void>): Promise<string> => {
  const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'account-service-aws', name);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  try {
    await make(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
};
