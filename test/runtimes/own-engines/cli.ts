import { cli } from '../../../runtimes/cli/cli.ts';
import { OWN } from './notebook.ts';

/** A team's command line: ours, with its engine. */
await cli(process.argv.slice(2), { engines: OWN });
