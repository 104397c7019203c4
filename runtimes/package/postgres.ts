export * from '../../adapters/postgres/postgres-table.ts';
