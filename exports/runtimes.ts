/** The wiring, and the runtime that serves it embedded. */

export type { Overrides } from '../runtimes/composition/binder.ts';
export * from '../runtimes/composition/bootstrap.ts';
export * from '../runtimes/composition/config.ts';
export * from '../runtimes/composition/engine-settings.ts';
export * from '../runtimes/composition/engines.ts';
export * from '../runtimes/composition/links.ts';
export * from '../runtimes/express/hosts.ts';
export * from '../runtimes/express/start.ts';
