import type { Command } from 'commander';
import type { ImportCounts } from '../../application/operations/import-store.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type AnswerOutcome, answer, beforeNewStore, leaf, onNewService, operatorPermit, shown } from './command.ts';
import { plain, table } from './print.ts';
import { withProgress } from './progress.ts';

const inRows = (counts: ImportCounts): string => {
  const rows = Object.entries(counts).map(
    ([section, { created, updated, unchanged }]) => [section, created, updated, unchanged] as const,
  );
  const counted = rows.filter(([, ...numbers]) => numbers.some((number) => number > 0));
  return counted.length === 0
    ? 'The document holds nothing, so nothing was imported.'
    : table(['section', 'created', 'updated', 'unchanged'], counted);
};

/** The table of counts, and below it what the operator should look at. */
const inText = (counts: ImportCounts, warnings: readonly Fault[]): string => {
  if (warnings.length === 0) return inRows(counts);
  const lines = warnings.map(({ path, message }) => plain(`${path}: ${message}`));
  const told = `The document was imported, with ${countOf(warnings.length, 'warning')}:`;
  return [inRows(counts), '', told, ...lines].join('\n');
};

const importFile = async (file: string): AnswerOutcome => {
  const { checkStoreFile, loadStoreFile } = await import('../operations/load-document.ts');
  const checked = await beforeNewStore((service) => checkStoreFile(service, file));
  if (!checked.ok) return checked;
  return onNewService(async (service) => {
    let warnings: readonly Fault[] = [];
    const warned = (all: readonly Fault[]): void => {
      warnings = all;
    };
    const permit = operatorPermit('import');
    const loaded = await withProgress((progress) => loadStoreFile(service, file, permit, { progress, warned }));
    return shown(
      loaded,
      (counts) => inText(counts, warnings),
      (counts) => ({ ...counts, warnings }),
    );
  });
};

const schema = async (): AnswerOutcome => {
  const [{ z }, { StoreDocument }] = await Promise.all([
    import('zod'),
    import('../../ports/inbound/operations/store-document.ts'),
  ]);
  const json = z.toJSONSchema(StoreDocument, { io: 'input' });
  return ok({ json, text: JSON.stringify(json, null, 2) });
};

export const importCommand = (program: Command): void => {
  const command: Command = leaf(program, 'import', 'load a whole store document, or nothing if it has a fault')
    .argument('[file]', 'a JSON file, in one folder with the files that it names')
    .option('--schema', 'print the JSON Schema of a store document instead');
  command.action((file: string | undefined, options: { json?: boolean; schema?: boolean }) => {
    if (options.schema) return answer(options, schema);
    if (file === undefined) command.error("error: missing required argument 'file'");
    return answer(options, () => importFile(file));
  });
};
