export * from '../../adapters/store/table.ts';
export * from '../../adapters/store/table-checks.ts';
export * from '../../adapters/store/table-dump.ts';
