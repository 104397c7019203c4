/** The contract suites (vitest). An engine of your own must pass them. */

export * from '../test/contracts/gallery.ts';
export * from '../test/contracts/jobs.ts';
export * from '../test/contracts/object-listing.ts';
export * from '../test/contracts/object-store.ts';
export * from '../test/contracts/signing-key-rings.ts';
export * from '../test/contracts/table.ts';
export * from '../test/contracts/table-dump.ts';
