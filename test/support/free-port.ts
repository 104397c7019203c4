import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/*
 * The kernel assigns ports from 32768 on to requests for any port, which tests and clients make all the time. A lower
 * port stays free until its program listens on it.
 */
const [LOWEST, FIRST_OF_THE_KERNEL] = [12_000, 32_768];

/** A port of this machine that nobody listens on. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(LOWEST, FIRST_OF_THE_KERNEL);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
};
