import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { countOf } from '../../domain/shared/count-of.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { addCommand, answerFrom, onService, operatorPermit, runsOn } from './command.ts';
import { withProgress } from './print.ts';
import { line } from './values.ts';

const MANIFEST = 'manifest.jsonl';

/** Writes the export under a temporary name, and renames it once it is complete. */
const exportOffline = runsOn(onService, async (service, { out }: { out: string }) => {
  const { inNewFolder } = await import('../files/new-folder.ts');
  const folder = resolve(out);
  const taken = refuse('folder_exists', { message: `${out} exists already; name a new folder. Nothing was exported.` });
  if (existsSync(folder)) return taken;
  const partial = `${folder}.${randomBytes(4).toString('hex')}.partial`;
  const totals = { accounts: 0, files: 0, without_device: 0 };
  return inNewFolder(partial, folder, async () => {
    await using manifest = await open(join(partial, MANIFEST), 'wx', 0o600);
    await withProgress(async (progress) => {
      const all = service.get('exportOffline')(operatorPermit(), { to: folder, progress });
      for await (const { account_id, email, files, without_device } of all) {
        await mkdir(join(partial, String(account_id)), { mode: 0o700 });
        const listed = [];
        for (const [n, { file, ...named }] of files.entries()) {
          const path = join(String(account_id), `${named.product}-${n + 1}.json`);
          await writeFile(join(partial, path), JSON.stringify(file), { mode: 0o600, flush: true });
          listed.push({ ...named, file: path });
        }
        await manifest.writeFile(`${JSON.stringify({ account_id, email, files: listed, without_device })}\n`);
        totals.accounts += 1;
        totals.files += files.length;
        totals.without_device += without_device.length;
      }
    });
    await manifest.sync();
    try {
      await rename(partial, folder);
    } catch (error) {
      // Another export may have taken the name meanwhile.
      if (existsSync(folder)) return taken;
      throw error;
    }
    return answerFrom(ok({ folder, ...totals }), ({ files, accounts, without_device: lacking }) => {
      const none = `${countOf(lacking, 'license')} without a device ${lacking === 1 ? 'has' : 'have'} none.`;
      return `Wrote ${countOf(files, 'license file')} of ${countOf(accounts, 'account')} to ${folder}, listed in ${MANIFEST}. ${none}`;
    });
  });
});

const EXPORT_HELP = `
A file runs its product on its device for good: give each buyer the files of the
account, and the application reads them like a file for offline use. Keep the
folder as a deposit, or hand it out when the shop closes. It holds addresses of
buyers. An export that breaks off leaves nothing; one that is killed leaves a
folder whose name ends in .partial, to be deleted. Licenses with an end,
subscriptions, suspended accounts and blocked devices get no file.`;

export const licenseCommands = (program: Command): void => {
  const group = program.command('license').description('licenses of buyers');
  addCommand(group, 'export-offline', 'write a license file that never expires for each device of a perpetual license')
    .requiredOption('--out <folder>', 'a new folder', line)
    .addHelpText('after', EXPORT_HELP)
    .action(exportOffline);
};
