import type { WorkerLog } from '../worker/replay-worker.ts';
import { jsonLine, told } from './json-lines.ts';

/** The log of a worker as JSON lines on standard output, with its faults as other faults of functions are told. */
export const jobLog = (name: string, stage: string): WorkerLog => ({
  info: (line, message) => jsonLine('info', { stage, function: name, ...line }, message),
  error: ({ err, ...line }, message) =>
    jsonLine('error', { stage, function: name, ...line, ...(err !== undefined && { err: told(err) }) }, message),
});
