import { untilStopped } from 'account-service/run';
import { start } from 'account-service/start';
import { ratings } from './area.ts';

/** The server of the package with one more area. */
untilStopped(start(process.env, { areas: [ratings], command: 'npx node examples/own-endpoint/cli.ts' }));
