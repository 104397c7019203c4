import { type Command, InvalidArgumentError } from 'commander';
import { countOf } from '../../domain/shared/count-of.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { BackedUp } from '../operations/copy/backup.ts';
import type { Manifest } from '../operations/copy/backups.ts';
import { type Answered, answer, leaf } from './command.ts';
import { configuration } from './given.ts';
import { operatorPermit } from './operator.ts';
import { facts } from './print.ts';
import { withProgress } from './progress.ts';

type Options = { json?: boolean; keep?: number };

const number = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1 to 9999.');
};

/** What a backup has, for people. */
export const contentsOf = ({ created_at, database, objects, keys }: Manifest) =>
  [
    ['state of', created_at],
    ['entries', database.entries],
    ['files', `${objects.objects}, ${objects.bytes} bytes`],
    ['keys', countOf(keys.length, 'file')],
  ] as const;

const inText = ({ backup, manifest, removed, later }: BackedUp): string => {
  const lines = facts([
    ['backup', backup],
    ...contentsOf(manifest),
    ...(removed.length > 0 ? ([['removed', removed.join(', ')]] as const) : []),
    ...(later.length > 0
      ? ([['warning', `by their names ${later.join(', ')} are newer; set the clock`]] as const)
      : []),
  ]);
  if (manifest.damaged.length === 0) return `Backed up, and every byte was read again.\n\n${lines}`;
  const which = countOf(manifest.damaged.length, 'file');
  return `Backed up without ${which} that the store has lost or damaged, and no older backup was removed. "doctor" names them; with an older backup, run: restore BACKUP --files\n\n${lines}`;
};

const run = async (folder: string, { keep }: Options): Answered => {
  const [{ backUp }, config, { configuredUrls }] = await Promise.all([
    import('../operations/copy/backup.ts'),
    configuration(),
    import('./configured-urls.ts'),
  ]);
  const permit = operatorPermit('backup');
  const done = await withProgress((progress) =>
    backUp(config, configuredUrls(config), { permit, folder, keep, progress }),
  );
  if (!done.ok) return done;
  return ok({ json: done.value, text: inText(done.value), failed: done.value.manifest.damaged.length > 0 });
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
