import type { Command } from 'commander';
import { countOf } from '../../domain/shared/count-of.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { BackedUp, MendedFrom, RestoreSummary } from '../copy/backup.ts';
import type { MigrationSummary } from '../copy/migrate.ts';
import { openPlace, overlap, type PlaceSpec, parsePlace, placeName, waysToWrite } from '../copy/place.ts';
import type { Finding } from '../doctor/finding.ts';
import { kindsWith } from '../engines/choose.ts';
import {
  type AnswerOutcome,
  addCommand,
  answer,
  answerFrom,
  onService,
  onShop,
  operatorPermit,
  runsOn,
} from './command.ts';
import { configuration, configuredUrls, options, remoteServer } from './options.ts';
import { plain, printed, withProgress } from './print.ts';
import { taking, upTo } from './values.ts';

type BackupOptions = { json?: boolean; keep?: number };
type RestoreOptions = { json?: boolean; to?: string; files?: boolean; copy?: boolean };

const backedUpText = ({ backup, manifest, removed, foreign, unknown, later }: BackedUp): string => {
  const notes = [
    [later, 'have later names; check the clock.'],
    [foreign, 'were made by another copy of this store, and stay; delete those that nobody needs.'],
    [unknown, 'are not recorded in this store, so no backup was deleted. Give each copy of a store its own folder.'],
  ] as const;
  const told = notes.flatMap(([names, note]) => (names.length > 0 ? [plain(`${names.join(', ')} ${note}`)] : []));
  const lines = [printed({ backup, removed, ...manifest }), ...told].join('\n\n');
  if (manifest.damaged.length === 0) return `Backed up and verified.\n\n${lines}`;
  const which = countOf(manifest.damaged.length, 'file');
  return `Backed up without ${which} that the store has lost or damaged, so no older backup was deleted. "doctor" lists them; to repair them from an older backup, run: restore BACKUP --files\n\n${lines}`;
};

const backUpInto = async (folder: string, { keep }: BackupOptions): AnswerOutcome => {
  const [{ backUp }, config] = await Promise.all([import('../copy/backup.ts'), configuration()]);
  const permit = operatorPermit();
  const done = await withProgress((progress) =>
    backUp(config, configuredUrls(config), { permit, folder, keep, progress }),
  );
  if (!done.ok) return done;
  const { manifest, unknown } = done.value;
  return ok({ json: done.value, text: backedUpText(done.value), failed: manifest.damaged.length + unknown.length > 0 });
};

export const backupCommand = (program: Command): void => {
  addCommand(program, 'backup', 'copy database, files and keys into a new folder, while the server runs')
    .argument('<folder>', 'a folder outside DATA_DIR; each backup gets a folder in it, named by the time')
    .option(
      '--keep <number>',
      'delete the oldest backups of this store beyond this number, once the new one is complete',
      upTo(9999),
    )
    .action((folder: string, options: BackupOptions) => answer(options, () => backUpInto(folder, options)));
};

const nextSteps = (to: string, at: string): string => `
With DATA_DIR=${plain(to)}, run "doctor" before you start a server on it.

What was done since ${at} is undone: revoke and withdraw again what was revoked and withdrawn. The store that
this one replaces names the accounts that have to be erased again, if it can still be read:

  audit list --action account.erased --since ${at}`;

const waitingText = ({ messages, events }: RestoreSummary['waiting'], isCopy: boolean): string => {
  const what = `${countOf(messages, 'mail')} and ${countOf(events, 'event')} for notices and webhooks`;
  if (isCopy) return `\nThis copy lost ${what} that waited, and its webhooks are paused.\n`;
  return messages + events === 0
    ? ''
    : `\nA server on it sends ${what} that waited at the backup, even if they were sent since. For a copy to practise\nwith, restore with --copy: it sends none of them.\n`;
};

const restoredText =
  (isCopy: boolean) =>
  ({ backup, to, manifest, waiting }: RestoreSummary): string =>
    `Restored and verified.\n\n${printed({ from: backup, to, ...manifest })}\n${waitingText(waiting, isCopy)}${nextSteps(to, manifest.created_at)}`;

const whole = async (backup: string, to: string, isCopy: boolean): AnswerOutcome => {
  const { restore } = await import('../copy/backup.ts');
  const done = await withProgress((progress) => restore(backup, to, progress, isCopy));
  return answerFrom(done, restoredText(isCopy));
};

const mendedText = ({ mended, left, keys }: MendedFrom): string => {
  if (mended.length + left.length + keys.length === 0) return 'Nothing to do: the store has every byte of its files.';
  const lines = [
    ...keys.map((name) => `restored  key file ${name}; restart the server`),
    ...mended.map(({ name }) => `restored  ${plain(name)}`),
    ...left.map(({ name }) => `MISSING   ${plain(name)}; not in this backup; try an older one`),
  ];
  return lines.join('\n');
};

const files = runsOn(onService, async (service, backup: string) => {
  const [{ mendFrom }, config] = await Promise.all([import('../copy/backup.ts'), configuration()]);
  const permit = operatorPermit();
  const done = await withProgress((progress) => mendFrom(service, config, backup, permit, progress));
  if (!done.ok) return done;
  return ok({ json: done.value, text: mendedText(done.value), failed: done.value.left.length > 0 });
});

export const restoreCommand = (program: Command): void => {
  const command = addCommand(
    program,
    'restore',
    'create a store from a backup, or repair the files of the current store',
  )
    .argument('<backup>', 'a folder that "backup" has made; with --files also the folder of all backups, newest first')
    .option('--to <folder>', 'a new or empty folder for the whole store')
    .option('--copy', 'with --to: drop the mails and webhook events that wait in the backup, and pause the webhooks')
    .option('--files', 'restore only files and keys that the store in DATA_DIR has lost or damaged');
  command.action((backup: string, options: RestoreOptions) => {
    const { to, copy = false } = options;
    if (copy && to === undefined) command.error("error: option '--copy' needs option '--to <folder>'");
    if ((to === undefined) === (options.files === undefined)) {
      command.error("error: name either option '--to <folder>' or option '--files'");
    }
    return to === undefined ? files(backup, options) : answer(options, () => whole(backup, to, copy));
  });
};

type MigrateOptions = { json?: boolean; from: PlaceSpec; to: PlaceSpec };

const migratedText = ({ changed, keys, ...summary }: MigrationSummary): string => {
  const headline = changed ? 'Copied, and both sides are the same.' : 'Nothing to do: both sides are the same.';
  const byHand =
    'not copied: one side has no data folder, so copy the keys in DATA_DIR/keys, or their secrets, by hand';
  return `${headline}\n\n${printed({ ...summary, signing_keys: keys ?? byHand })}`;
};

const migrateBetween = async ({ from, to }: MigrateOptions): AnswerOutcome => {
  if (overlap(from, to)) {
    return refuse('same_place', {
      message: `${placeName(from)} and ${placeName(to)} share a table or objects; name two separate places.`,
    });
  }
  const { migrate } = await import('../copy/migrate.ts');
  await using opened = new AsyncDisposableStack();
  const source = await openPlace(from, 'source');
  opened.defer(source.close);
  const target = await openPlace(to, 'target');
  opened.defer(target.close);
  const done = await withProgress((progress) => migrate(source, target, progress));
  return answerFrom(done, migratedText);
};

export const migrateCommand = (program: Command): void => {
  const kinds = kindsWith(options().engines);
  const ways = waysToWrite(kinds);
  const place = taking(ways, (text) => parsePlace(text, kinds) ?? null);
  addCommand(program, 'migrate', 'copy table, objects and keys to another engine or folder, and compare both')
    .requiredOption('--from <place>', ways, place)
    .requiredOption('--to <place>', 'a place as for --from; it is empty, or the target of an earlier run', place)
    .action((named: MigrateOptions) => answer(named, () => migrateBetween(named)));
};

type DoctorOptions = { json?: boolean; quick?: boolean };

const LABELS: Readonly<Record<Finding['kind'], string>> = { fine: 'ok', next: 'next', wrong: 'WRONG' };

const examined = (findings: readonly Pick<Finding, 'check' | 'kind' | 'message'>[]) => {
  const lines = findings.map(
    ({ check, kind, message }) => `${LABELS[kind].padEnd(5)}  ${check.padEnd(13)}  ${plain(message)}`,
  );
  return ok({ json: findings, text: lines.join('\n'), failed: findings.some(({ kind }) => kind === 'wrong') });
};

/** The findings of a remote server about its own shop. */
const remoteDoctor = runsOn(onShop, async ({ send }, _options: DoctorOptions) => {
  const answered = await send('examineShop', {});
  return answered.ok ? examined(answered.value.findings) : answered;
});

const doctor = async ({ quick = false }: DoctorOptions): AnswerOutcome => {
  const { examine } = await import('../doctor/doctor.ts');
  const { engines, ownSignIn = false } = options();
  return examined(
    await withProgress((progress) =>
      examine(process.env, configuredUrls, { quick, ...(engines && { engines }), ownSignIn, progress }),
    ),
  );
};

export const doctorCommand = (program: Command): void => {
  addCommand(program, 'doctor', 'check configuration, store, files and keys, and say what is wrong and what to do')
    .option('--quick', 'check only that the files exist with their sizes')
    .action((options: DoctorOptions) =>
      remoteServer() === undefined ? answer(options, () => doctor(options)) : remoteDoctor(options),
    );
};
