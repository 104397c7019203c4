import { start, untilStopped } from 'account-service';
import { lmdb } from './engine.ts';

/** The server of this package, on LMDB too. */
untilStopped(start(process.env, { engines: { tables: { lmdb } }, command: 'node cli.ts' }));
