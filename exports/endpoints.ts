/** The endpoint table: declarations that routes, the OpenAPI document and access checks come from. */
export * from '../ports/inbound/endpoint.ts';
export * from '../ports/inbound/endpoints.ts';
export * from '../ports/inbound/groups.ts';
export * from '../ports/inbound/hosts.ts';
export * from '../ports/inbound/refusals.ts';
export * from '../ports/inbound/store-document.ts';
