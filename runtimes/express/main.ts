import { untilStopped } from './run.ts';
import { start } from './start.ts';

/** `npm start`. */
untilStopped(start(process.env));
