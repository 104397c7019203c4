import { cli } from 'account-service';
import { lmdb } from './engine.ts';

/** The operator's tool of this package, on LMDB too. */
await cli(process.argv.slice(2), { engines: { tables: { lmdb } } });
