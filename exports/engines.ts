/** The engines of this package, each an implementation of `Table` or `ObjectStore`. */
export * from '../adapters/filesystem/download-signature.ts';
export * from '../adapters/filesystem/filesystem-objects.ts';
export * from '../adapters/filesystem/upload-signature.ts';
export * from '../adapters/memory/memory-objects.ts';
export * from '../adapters/memory/memory-signing-key-rings.ts';
export * from '../adapters/memory/memory-table.ts';
export * from '../adapters/sqlite/sqlite-table.ts';
export * from '../adapters/store/table.ts';
export * from '../adapters/store/table-checks.ts';
export * from '../adapters/store/table-dump.ts';
