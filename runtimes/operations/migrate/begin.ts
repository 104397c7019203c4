import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { objectsOnlyIn } from './objects.ts';
import type { Place } from './place.ts';
import type { Run } from './run-record.ts';
import { keysUnlike } from './signing-keys.ts';
import { isEmpty, sumsOfBoth } from './table-sums.ts';

/** The point where copying the table begins; no `table` if both sides have the same table already. */
export type Beginning = { readonly table?: { readonly after: string | null } };

type Began = Outcome<Beginning, 'target_has_other_data' | 'target_has_changed'>;

const FROM_THE_START: Began = ok({ table: { after: null } });

const otherData = (to: Place, what: string) =>
  refuse('target_has_other_data', { message: `${to.name} ${what}; name a place that is empty. Nothing was copied.` });

const beginTable = async (from: Place, to: Place, run: Run | undefined): Promise<Began> => {
  if (run && run.from !== from.name) return otherData(to, `holds a copy of ${run.from}`);
  if (run?.state === 'copying') return ok({ table: { after: run.after } });
  if (!run && (await isEmpty(to))) return FROM_THE_START;
  const [source, target] = await sumsOfBoth(from, to, () => {});
  if (source.entries.equals(target.entries)) return run ? ok({}) : FROM_THE_START;
  if (run) {
    return run.lasting === target.lasting.sha256
      ? FROM_THE_START
      : refuse('target_has_changed', {
          message: `${to.name} has been written to since it was copied from ${from.name}, and copying again would undo that; name a place that is empty. Nothing was copied.`,
        });
  }
  return source.keys.equals(target.keys) ? FROM_THE_START : otherData(to, 'holds other data');
};

/**
 * Checks the target before anything is written, and finds the point where copying begins; after a killed run, that is
 * the page it was at. Refuses a target with other data, or one that was written to since it was copied.
 */
export const begin = async (from: Place, to: Place, run: Run | undefined): Promise<Began> => {
  const began = await beginTable(from, to, run);
  if (!began.ok) return began;
  const [object] = await objectsOnlyIn(from, to);
  if (object !== undefined) return otherData(to, `holds other objects, such as ${object}`);
  const [key] = await keysUnlike(from, to);
  if (key !== undefined) return otherData(to, `has another signing key or secret in ${to.keysFolder}/${key}`);
  return began;
};
