/** The composition of the service, and the runtime that embeds it. */

/** The permit of an operator's own commands, which no gate checks. */
export * from '../domain/access/grant-permit.ts';
export * from '../runtimes/composition/account-app.ts';
export * from '../runtimes/composition/area.ts';
export * from '../runtimes/composition/areas/everything.ts';
export * from '../runtimes/composition/bootstrap.ts';
export * from '../runtimes/composition/config.ts';
export * from '../runtimes/composition/design-app.ts';
export * from '../runtimes/composition/design-routes.ts';
export * from '../runtimes/composition/engine-settings.ts';
export * from '../runtimes/composition/engines.ts';
export * from '../runtimes/composition/hosts.ts';
export * from '../runtimes/composition/links.ts';
export * from '../runtimes/composition/measures.ts';
export * from '../runtimes/composition/parts.ts';
export * from '../runtimes/composition/service.ts';
export * from '../runtimes/composition/settings.ts';
export * from '../runtimes/express/by-host-name.ts';
export * from '../runtimes/express/late-hosts.ts';
export * from '../runtimes/express/start.ts';
export * from '../runtimes/worker/poller.ts';
export * from '../runtimes/worker/replay-worker.ts';
export * from '../runtimes/worker/replay-worker-of.ts';
