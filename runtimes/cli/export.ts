import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ExportSummary } from '../../application/operations/export-store.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { does, leaf, onService, operatorPermit } from './command.ts';
import { facts } from './print.ts';
import { withProgress } from './progress.ts';

const LEFT_OUT = `
The export has no API keys, signing keys, devices, usage, setup progress, reports, gallery
and design documents; a backup has them. It holds personal data and the hashes of passwords.`;

const inText = (folder: string, { documents, products, releases, accounts, files }: ExportSummary): string =>
  `Exported.\n\n${facts([
    ['folder', folder],
    ['import', documents.join(', then ')],
    ['products', products],
    ['releases', releases],
    ['accounts', accounts],
    ['files', files],
  ])}\n${LEFT_OUT}`;

export const exportCommand = (program: Command): void => {
  leaf(program, 'export', 'write the store document back out, with its files; importing it changes nothing')
    .argument('<folder>', 'a new or empty folder')
    .action(
      does(onService, async (service, named: string) => {
        const { FilesystemExport } = await import('../../adapters/filesystem/export-folder.ts');
        const folder = resolve(named);
        const wish = { folder: new FilesystemExport(folder), to: folder };
        const done = await withProgress((progress) =>
          service.get('exportStore')(operatorPermit('export'), { ...wish, progress }),
        );
        return ok({ json: { folder, ...done }, text: inText(folder, done) });
      }),
    );
};
