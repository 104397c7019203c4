import { untilStopped } from '../../../runtimes/express/run.ts';
import { start } from '../../../runtimes/express/start.ts';
import { OWN } from './notebook.ts';

/** A team's server: ours, with its engine. */
untilStopped(start(process.env, { engines: OWN }));
