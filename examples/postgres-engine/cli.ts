import { cli } from 'account-service';
import { postgres } from './engine.ts';

/** The operator's tool of this package, on PostgreSQL too. */
await cli(process.argv.slice(2), { engines: { tables: { postgres } } });
