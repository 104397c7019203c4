import { untilStopped } from 'account-service/run';
import { start } from 'account-service/start';
import { postgres } from './engine.ts';

/** The server of this package, on PostgreSQL too. */
const command = 'npx node examples/postgres-engine/cli.ts';
untilStopped(start(process.env, { engines: { tables: { postgres } }, command }));
