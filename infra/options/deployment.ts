import type { Context } from '../context.ts';

/** The way in which a new version of a function takes over: at once, or with a tenth of the calls for five minutes. */
export type Deployment = 'allAtOnce' | 'canary';

/** Reads `-c deployment=canary`. */
export const deploymentOf = (context: Context): Deployment =>
  context.oneOf('deployment', ['allAtOnce', 'canary'], 'allAtOnce');
