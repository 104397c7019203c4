import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { doubling, withStep } from '../support/a-step.ts';

/* Opens the environment's store like a server of a version with one more format, slowly. */

using _ = withStep(doubling(() => pause(20)));
const { close } = await openEngines(readConfig(process.env), { api: 'http://127.0.0.1', design: 'http://127.0.0.1' });
await close();
