export * from '../../adapters/fetch/fetch-handler.ts';
export type { HostFunction as Host, HostOptions, HostRoute } from '../../adapters/host/host.ts';
export type { Reply } from '../../adapters/host/reply.ts';
export type { HostHeaders, HostRequest } from '../../adapters/host/request.ts';
export * from '../../adapters/http/bounds.ts';
export * from '../../adapters/http/guarded-server.ts';
export * from '../../adapters/http/node-requests.ts';
