import { join } from 'node:path';
import type { TableEngine } from '../../../../runtimes/composition/engines/kinds.ts';
import { PROJECT } from '../../package/entries.ts';

export const EXAMPLE = join(PROJECT, 'examples', 'postgres-engine');

/** The engine of the example. Its imports by the name of the package mean the sources (`vitest.library.config.ts`). */
export const { postgres }: { readonly postgres: TableEngine } = await import(join(EXAMPLE, 'engine.ts'));
