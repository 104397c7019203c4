import { type Command, InvalidArgumentError } from 'commander';
import { countOf } from '../../domain/shared/count-of.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { kindsWith } from '../composition/engines/choose.ts';
import type { EngineKinds } from '../composition/engines/kinds.ts';
import type { Migrated } from '../operations/migrate/migrate.ts';
import { type PlaceSpec, parsePlace, waysToWrite } from '../operations/migrate/parse-place.ts';
import { type Answered, answer, leaf } from './command.ts';
import { options } from './given.ts';
import { facts } from './print.ts';
import { progressBar } from './progress.ts';

type Options = { json?: boolean; from: PlaceSpec; to: PlaceSpec };

const placeOf =
  (kinds: EngineKinds) =>
  (text: string): PlaceSpec => {
    const spec = parsePlace(text, kinds);
    if (spec) return spec;
    throw new InvalidArgumentError(`It takes ${waysToWrite(kinds)}.`);
  };

const keysFact = ({ keys }: Migrated): string =>
  keys === null
    ? 'not copied: one side has no data folder, so carry the keys in DATA_DIR/keys, or their secrets, over by hand'
    : `${countOf(keys.files, 'file')}, ${keys.copied} of them copied now`;

const inFacts = (done: Migrated): string => {
  const { table, objects, copied } = done;
  const headline = done.changed ? 'Copied, and both sides are the same.' : 'Nothing to do: both sides are the same.';
  return `${headline}\n\n${facts([
    ['from', done.from],
    ['to', done.to],
    ['entries', `${table.entries}, ${copied.entries} of them written now`],
    ['sha256 of entries', table.sha256],
    ['objects', `${objects.objects}, ${copied.objects} of them written now`],
    ['bytes', `${objects.bytes}, ${copied.bytes} of them written now`],
    ['sha256 of objects', objects.sha256],
    ['signing keys', keysFact(done)],
  ])}`;
};

const run = async ({ from, to }: Options): Promise<Outcome<Migrated, string>> => {
  const [{ openPlace, overlap, placeName }, { migrate }] = await Promise.all([
    import('../operations/migrate/open-place.ts'),
    import('../operations/migrate/migrate.ts'),
  ]);
  if (overlap(from, to)) {
    return refuse('same_place', {
      message: `${placeName(from)} and ${placeName(to)} share a table or objects; name two separate places.`,
    });
  }
  await using opened = new AsyncDisposableStack();
  const source = await openPlace(from, 'source');
  opened.defer(source.close);
  const target = await openPlace(to, 'target');
  opened.defer(target.close);
  const { progress, stop } = await progressBar();
  opened.defer(async () => stop());
  return await migrate(source, target, progress);
};

const migrateAndTell = async (options: Options): Answered => {
  const done = await run(options);
  return done.ok ? ok({ json: done.value, text: inFacts(done.value) }) : done;
};

export const migrateCommand = (program: Command): void => {
  const kinds = kindsWith(options().engines);
  const place = placeOf(kinds);
  leaf(program, 'migrate', 'copy table, objects and keys to another engine or folder, and compare both')
    .requiredOption('--from <place>', waysToWrite(kinds), place)
    .requiredOption('--to <place>', 'a place as for --from; it is empty, or the target of an earlier run', place)
    .action((named: Options) => answer(named, () => migrateAndTell(named)));
};
