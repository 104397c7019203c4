import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { countOf } from '../../domain/shared/count-of.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { addCommand, answerFrom, onService, operatorPermit, runsOn } from './command.ts';
import { withProgress } from './print.ts';
import { line } from './values.ts';

const MANIFEST = 'manifest.jsonl';

type Totals = { accounts: number; files: number; without_device: number };

const exportOffline = runsOn(onService, async (service, { out }: { out: string }) => {
  const folder = resolve(out);
  const manifest = join(folder, MANIFEST);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = await readFile(manifest, 'utf8').catch(() => '');
  // A line that was written whole is about an account whose files are all there.
  const before = text.slice(0, text.lastIndexOf('\n') + 1);
  if (text === '' || text !== before) await writeFile(manifest, before, { mode: 0o600 });
  const last = before.split('\n').at(-2);
  const after = last === undefined ? 0 : (JSON.parse(last) as { account_id: number }).account_id;
  const totals: Totals = { accounts: 0, files: 0, without_device: 0 };
  await withProgress(async (progress) => {
    const all = service.get('exportOffline')(operatorPermit(), { to: folder, after, progress });
    for await (const { account_id, email, files, without_device } of all) {
      await mkdir(join(folder, String(account_id)), { recursive: true, mode: 0o700 });
      const listed = [];
      for (const [n, { file, ...named }] of files.entries()) {
        const path = join(String(account_id), `${named.product}-${n + 1}.json`);
        await writeFile(join(folder, path), JSON.stringify(file), { mode: 0o600 });
        listed.push({ ...named, file: path });
      }
      await appendFile(manifest, `${JSON.stringify({ account_id, email, files: listed, without_device })}\n`);
      totals.accounts += 1;
      totals.files += files.length;
      totals.without_device += without_device.length;
    }
  });
  return answerFrom(ok({ folder, continued_after: after === 0 ? null : after, ...totals }), (done) => {
    const since = done.continued_after === null ? '' : ` after account ${done.continued_after}`;
    const lacking = done.without_device;
    return `Wrote ${countOf(done.files, 'license file')} of ${countOf(done.accounts, 'account')}${since} to ${folder}, listed in ${MANIFEST}. ${countOf(lacking, 'license')} without a device ${lacking === 1 ? 'has' : 'have'} none.`;
  });
});

const EXPORT_HELP = `
A file runs its product on its device for good: give each buyer the files of the
account, and the application reads them like a file for offline use. Keep the
folder as a deposit, or hand it out when the shop closes. It holds addresses of
buyers. The same command continues an export that broke off; a new folder begins
a new one. Licenses with an end, subscriptions, suspended accounts and blocked
devices get no file.`;

export const licenseCommands = (program: Command): void => {
  const group = program.command('license').description('licenses of buyers');
  addCommand(group, 'export-offline', 'write a license file that never expires for each device of a perpetual license')
    .requiredOption('--out <folder>', 'a new folder, or one that this command began', line)
    .addHelpText('after', EXPORT_HELP)
    .action(exportOffline);
};
