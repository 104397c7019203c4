/** The contract suites (vitest): an engine of your own is right when it passes them. */
export * from '../test/contracts/key-rings.ts';
export * from '../test/contracts/object-listing.ts';
export * from '../test/contracts/object-store.ts';
export * from '../test/contracts/table.ts';
export * from '../test/contracts/table-dump.ts';
