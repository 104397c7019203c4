/** The endpoint table: the source of routes, the OpenAPI document and access checks. */
export * from '../ports/inbound/documentation/documentation.ts';
export * from '../ports/inbound/endpoint.ts';
export * from '../ports/inbound/endpoints.ts';
export * from '../ports/inbound/groups.ts';
export * from '../ports/inbound/hosts.ts';
export * from '../ports/inbound/operations/store-document.ts';
export * from '../ports/inbound/refusals.ts';
