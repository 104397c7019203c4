import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../package/entries.ts';
import { COMPILER } from './support.ts';

/** Builds the package into `dist`, once for all tests of a run. */
export const setup = async (): Promise<void> => {
  await rm(join(PROJECT, 'dist'), { recursive: true, force: true });
  await promisify(execFile)(process.execPath, [COMPILER, '-p', 'test/peers/package/tsconfig.json'], { cwd: PROJECT });
};
