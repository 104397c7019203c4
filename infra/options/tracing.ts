import type { Context } from '../context.ts';

/** Whether X-Ray gets traces of requests. */
export type TracingOption = 'off' | 'xray';

/** Reads `-c tracing=xray`. */
export const tracingOf = (context: Context): TracingOption => context.oneOf('tracing', ['off', 'xray'], 'off');
