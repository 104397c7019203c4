import { start, untilStopped } from 'account-service';
import { postgres } from './engine.ts';

/** The server of this package, on PostgreSQL too. */
untilStopped(start(process.env, { engines: { tables: { postgres } }, command: 'node cli.ts' }));
