import { join } from 'node:path';
import { type ServerProcess, startServer } from './server-process.ts';
import { cached, has, Missing, run } from './tools.ts';

const VERSION = '5.2.5';
const PACKAGES = [`moto[s3]==${VERSION}`, 'flask==3.1.3', 'flask-cors==6.0.5'];

/** The python3 of a virtual environment, created once, with moto and the SDK whose models moto serves. */
export const motoPython = async (): Promise<string> => {
  if (!(await has('python3', '-c', 'import venv, ensurepip'))) {
    throw new Missing('The S3 server needs Python 3 with venv (python3-venv): install it, and name python3 in PATH.');
  }
  const folder = await cached(`moto-${VERSION}`, async (draft) => {
    await run('python3', ['-m', 'venv', draft]);
    await run(join(draft, 'bin', 'python3'), ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  });
  return join(folder, 'bin', 'python3');
};

/** Starts moto's server, which provides S3 and Secrets Manager and stores everything in memory. */
export const startMoto = async (): Promise<ServerProcess> =>
  startServer(await motoPython(), (port) => ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)]);
