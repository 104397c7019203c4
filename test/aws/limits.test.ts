import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { checkDevice } from '../processes/data-dir.ts';
import { limitsOverProcesses } from '../processes/limits.ts';
import { awsEngines } from './support/engines.ts';

const ATTEMPTS = 30;

/** Repeats a check after 503, because DynamoDB Local may be too slow on a busy machine. */
const checkPatiently: typeof checkDevice = async (...asked) => {
  for (let attempt = 1; ; attempt++) {
    const reply = await checkDevice(...asked);
    if (reply.status !== 503 || attempt === ATTEMPTS) return reply;
    await reply.body?.cancel();
    await sleep(Math.random() * 1000);
  }
};

describe('limits over several processes on DynamoDB', () => limitsOverProcesses(awsEngines, checkPatiently));
