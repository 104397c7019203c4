import { type Command, InvalidArgumentError } from 'commander';
import { auditEvent } from '../../domain/audit/event.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { BackedUp } from '../operations/backup/backup.ts';
import { type Answered, answer, leaf } from './command.ts';
import { configuration } from './given.ts';
import { operatorPermit } from './operator.ts';
import { facts } from './print.ts';
import { progressBar } from './progress.ts';

type Options = { json?: boolean; keep?: number };

const number = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1 to 9999.');
};

const inText = ({ backup, manifest, removed, later }: BackedUp): string => {
  const { database, objects, keys, damaged, created_at } = manifest;
  const lines = facts([
    ['backup', backup],
    ['state of', created_at],
    ['entries', database.entries],
    ['files', `${objects.objects}, ${objects.bytes} bytes`],
    ['keys', countOf(keys.length, 'file')],
    ...(removed.length > 0 ? ([['removed', removed.join(', ')]] as const) : []),
    ...(later.length > 0
      ? ([['warning', `by their names ${later.join(', ')} are newer; set the clock`]] as const)
      : []),
  ]);
  if (damaged.length === 0) return `Backed up, and every byte was read again.\n\n${lines}`;
  const which = countOf(damaged.length, 'file');
  return `Backed up without ${which} that the store has lost or damaged, and no older backup was removed. "doctor" names them; with an older backup, run: restore BACKUP --files\n\n${lines}`;
};

const run = async (folder: string, { keep }: Options): Answered => {
  const [{ backUp }, config, { configuredUrls }, { withService }, { wire }] = await Promise.all([
    import('../operations/backup/backup.ts'),
    configuration(),
    import('./configured-urls.ts'),
    import('./open-service.ts'),
    import('./services/operations.ts'),
  ]);
  const permit = operatorPermit('backup');
  const { progress, stop } = await progressBar();
  try {
    const begins = (backup: string): Promise<void> =>
      withService(wire, (service) =>
        service.get('auditLog').add(permit, auditEvent({ kind: 'store', id: backup }, 'backup_begun')),
      );
    const done = await backUp(config, configuredUrls(config), { permit, folder, keep, progress, begins });
    if (!done.ok) return done;
    return ok({ json: done.value, text: inText(done.value), failed: done.value.manifest.damaged.length > 0 });
  } finally {
    stop();
  }
};

export const backupCommand = (program: Command): void => {
  leaf(program, 'backup', 'copy database, files and keys into a new folder, while the server runs')
    .argument('<folder>', 'a folder outside DATA_DIR; each backup gets a folder in it, named by the time')
    .option(
      '--keep <number>',
      'remove the oldest backups of this store beyond this number, once the new one is whole',
      number,
    )
    .action((folder: string, options: Options) => answer(options, () => run(folder, options)));
};
