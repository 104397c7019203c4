import { keepCompiledCode, writeCompiledCode } from '../composition/compile-cache.ts';
import { untilStopped } from './run.ts';

/** `npm start`. The server is imported only here, because the compiled code of earlier imports would not be kept. */
keepCompiledCode();
const starting = import('./start-hosts.ts').then(({ startHosts }) => startHosts(process.env));
untilStopped(starting);
// A failed start is told above.
starting.then(writeCompiledCode, () => {});
