import type { FunctionName } from './functions.ts';

/** A pages' thread may take 256 MB beside the worker itself. */
const OTHERWISE: Readonly<Partial<Record<FunctionName, number>>> = { replay: 2048 };

/** Megabytes of a function. Its share of a processor grows with them: 1,769 MB are one whole. */
export const memoryOf = (name: FunctionName): number => OTHERWISE[name] ?? 1024;
