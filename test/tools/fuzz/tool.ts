import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, has, Missing, run } from '../../aws/peers/tools.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/** Python's own folder comes second, because a version manager's may be first in PATH. */
const PYTHONS = ['python3', '/usr/bin/python3'];

const NEEDED = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';

const findPython = async (): Promise<string> => {
  for (const python of PYTHONS) if (await has(python, '-c', NEEDED)) return python;
  throw new Missing('The fuzzer needs Python 3.11 with venv (python3-venv): install it, and name python3 in PATH.');
};

/** Python with schemathesis. The first call downloads it into a cache folder, each package by its recorded hash. */
export const pythonWithSchemathesis = async (): Promise<string> => {
  const hash = createHash('sha256').update(await readFile(REQUIREMENTS));
  const folder = await cached(`schemathesis-${hash.digest('hex').slice(0, 12)}`, async (draft) => {
    await run(await findPython(), ['-m', 'venv', draft]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
    await run(join(draft, 'bin', 'python3'), [...install, '-r', REQUIREMENTS]);
  });
  return join(folder, 'bin', 'python3');
};
