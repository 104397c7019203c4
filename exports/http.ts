/** What serves the endpoints over HTTP, and describes them. */
export * from '../adapters/http/api.ts';
export * from '../adapters/http/app.ts';
export * from '../adapters/http/cross-origin.ts';
export * from '../adapters/http/docs.ts';
export * from '../adapters/http/downloads.ts';
export * from '../adapters/http/jwks.ts';
export * from '../adapters/http/spool.ts';
export * from '../adapters/openapi/document.ts';
export * from '../adapters/pipeline/input.ts';
export * from '../adapters/pipeline/invoke.ts';
