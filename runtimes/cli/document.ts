import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ExportSummary } from '../../application/store-document/export-store.ts';
import type { ImportCounts } from '../../application/store-document/import-store.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { ok } from '../../domain/shared/outcome.ts';
import {
  type AnswerOutcome,
  addCommand,
  answer,
  answerFrom,
  beforeNewStore,
  onNewService,
  onService,
  operatorPermit,
  runsOn,
} from './command.ts';
import { configuration, configuredUrls } from './options.ts';
import { plain, printed, table, withProgress } from './print.ts';

const inRows = (counts: ImportCounts): string => {
  const rows = Object.entries(counts).map(
    ([section, { created, updated, unchanged }]) => [section, created, updated, unchanged] as const,
  );
  const counted = rows.filter(([, ...numbers]) => numbers.some((number) => number > 0));
  return counted.length === 0
    ? 'The document is empty, so nothing was imported.'
    : table(['section', 'created', 'updated', 'unchanged'], counted);
};

/** The table of counts, followed by the warnings. */
const importedText = (counts: ImportCounts, warnings: readonly Fault[]): string => {
  if (warnings.length === 0) return inRows(counts);
  const lines = warnings.map(({ path, message }) => plain(`${path}: ${message}`));
  const heading = `The document was imported, with ${countOf(warnings.length, 'warning')}:`;
  return [inRows(counts), '', heading, ...lines].join('\n');
};

const importFile = async (file: string): AnswerOutcome => {
  const { checkStoreFile, loadStoreFile } = await import('../files/load-document.ts');
  const checked = await beforeNewStore((service) => checkStoreFile(service, file));
  if (!checked.ok) return checked;
  return onNewService(async (service) => {
    let warnings: readonly Fault[] = [];
    const warned = (all: readonly Fault[]): void => {
      warnings = all;
    };
    const permit = operatorPermit();
    const loaded = await withProgress((progress) => loadStoreFile(service, file, permit, { progress, warned }));
    return answerFrom(
      loaded,
      (counts) => importedText(counts, warnings),
      (counts) => ({ ...counts, warnings }),
    );
  });
};

const schema = async (): AnswerOutcome => {
  const { storeDocumentSchema } = await import('../../ports/inbound/store-document/store-document.ts');
  const json = storeDocumentSchema();
  return ok({ json, text: JSON.stringify(json, null, 2) });
};

export const importCommand = (program: Command): void => {
  const command: Command = addCommand(
    program,
    'import',
    'import a store document; nothing is written if it has a fault',
  )
    .argument('[file]', 'a JSON file, in the same folder as the files that it names')
    .option('--schema', 'print the JSON Schema of a store document instead');
  command.action((file: string | undefined, options: { json?: boolean; schema?: boolean }) => {
    if (options.schema) return answer(options, schema);
    if (file === undefined) command.error("error: missing required argument 'file'");
    return answer(options, () => importFile(file));
  });
};

const LEFT_OUT = `
The export has no API keys, signing keys, devices, usage, setup progress, reports, gallery
and design documents; a backup has them. It holds personal data and the hashes of passwords.`;

const exportedText = (exported: ExportSummary & { readonly folder: string }): string =>
  `Exported. Import the documents in this order.\n\n${printed(exported)}\n${LEFT_OUT}`;

export const exportCommand = (program: Command): void => {
  addCommand(program, 'export', 'export the store document with its files; importing it changes nothing')
    .argument('<folder>', 'a new or empty folder')
    .action(
      runsOn(onService, async (service, named: string) => {
        const { FilesystemExport } = await import('../../adapters/filesystem/export-folder.ts');
        const folder = resolve(named);
        const input = { folder: new FilesystemExport(folder), to: folder };
        const done = await withProgress((progress) =>
          service.get('exportStore')(operatorPermit(), { ...input, progress }),
        );
        return answerFrom(ok({ folder, ...done }), exportedText);
      }),
    );
};

export const openapiCommand = (program: Command): void => {
  addCommand(program, 'openapi', 'print the OpenAPI document, with the public addresses of the configuration').action(
    (chosen: { json?: boolean }) =>
      answer(chosen, async () => {
        const { openApiDocument } = await import('../../adapters/openapi/document.ts');
        const json = openApiDocument(configuredUrls(await configuration()));
        return ok({ json, text: JSON.stringify(json, null, 2) });
      }),
  );
};
