import type { Command } from 'commander';
import { countOf } from '../../domain/shared/count-of.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import { kindsWith } from '../composition/engines/choose.ts';
import type { MigrationSummary } from '../operations/copy/migrate.ts';
import { openPlace, overlap, type PlaceSpec, parsePlace, placeName, waysToWrite } from '../operations/copy/place.ts';
import { type AnswerOutcome, answer, leaf, shown } from './command.ts';
import { options } from './given.ts';
import { facts } from './print.ts';
import { withProgress } from './progress.ts';
import { taking } from './values.ts';

type Options = { json?: boolean; from: PlaceSpec; to: PlaceSpec };

const inFacts = ({ changed, from, to, table, objects, copied, keys }: MigrationSummary): string => {
  const headline = changed ? 'Copied, and both sides are the same.' : 'Nothing to do: both sides are the same.';
  return `${headline}\n\n${facts([
    ['from', from],
    ['to', to],
    ['entries', `${table.entries}, ${copied.entries} of them written now`],
    ['sha256 of entries', table.sha256],
    ['objects', `${objects.objects}, ${copied.objects} of them written now`],
    ['bytes', `${objects.bytes}, ${copied.bytes} of them written now`],
    ['sha256 of objects', objects.sha256],
    [
      'signing keys',
      keys === null
        ? 'not copied: one side has no data folder, so carry the keys in DATA_DIR/keys, or their secrets, over by hand'
        : `${countOf(keys.files, 'file')}, ${keys.copied} of them copied now`,
    ],
  ])}`;
};

const run = async ({ from, to }: Options): AnswerOutcome => {
  if (overlap(from, to)) {
    return refuse('same_place', {
      message: `${placeName(from)} and ${placeName(to)} share a table or objects; name two separate places.`,
    });
  }
  const { migrate } = await import('../operations/copy/migrate.ts');
  await using opened = new AsyncDisposableStack();
  const source = await openPlace(from, 'source');
  opened.defer(source.close);
  const target = await openPlace(to, 'target');
  opened.defer(target.close);
  const done = await withProgress((progress) => migrate(source, target, progress));
  return shown(done, inFacts);
};

export const migrateCommand = (program: Command): void => {
  const kinds = kindsWith(options().engines);
  const ways = waysToWrite(kinds);
  const place = taking(ways, (text) => parsePlace(text, kinds) ?? null);
  leaf(program, 'migrate', 'copy table, objects and keys to another engine or folder, and compare both')
    .requiredOption('--from <place>', ways, place)
    .requiredOption('--to <place>', 'a place as for --from; it is empty, or the target of an earlier run', place)
    .action((named: Options) => answer(named, () => run(named)));
};
