export * from '../../adapters/openapi/document.ts';
