export * from '../../adapters/memory/memory-signing-key-rings.ts';
export * from '../../adapters/memory/memory-table.ts';
export * from '../../adapters/sqlite/sqlite-table.ts';
export * from '../engines/kinds.ts';
