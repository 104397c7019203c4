import { cli } from 'account-service/cli';
import { ratings } from './area.ts';

/** The operator's tool of the package. Its OpenAPI document has the area's endpoint too. */
await cli(process.argv.slice(2), { areas: [ratings] });
