import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { doubling, withStep } from '../support/a-step.ts';

/* Opens the store of the environment as a server of a version with one more format does, and takes its time for it. */

using _ = withStep(doubling(() => pause(20)));
const { close } = await openEngines(readConfig(process.env), { api: 'http://127.0.0.1', design: 'http://127.0.0.1' });
await close();
