import type { CheckedFiles, FaultyFile } from '../../../application/operations/check-files.ts';
import type { Progress } from '../../../application/operations/progress.ts';
import { countOf } from '../../../domain/shared/count-of.ts';
import type { Service } from '../../composition/service.ts';
import { type Finding, fine, firstOf, wrong } from './finding.ts';

const CHECK = 'files';

type State = FaultyFile['state'];

const STATES: Readonly<Record<State, string>> = {
  missing: 'The object store lacks',
  truncated: 'The object store has only a part of',
  altered: 'The object store has other bytes than those of',
  unreadable: 'The disk can’t read',
};

/** The advice that repairs files. A release may have come by publish, so that no store document names its files. */
const ADVICE: Readonly<Record<FaultyFile['from'], string>> = {
  release: 'publish the same file as the same version again (a patch with --delta), or run: restore BACKUP --files',
  content: 'import the store document again, or run: restore BACKUP --files',
  client: 'run: restore BACKUP --files',
};

const ORIGINS = Object.keys(ADVICE) as FaultyFile['from'][];

const told = (state: State, from: FaultyFile['from'], faults: readonly FaultyFile[]): Finding[] => {
  const files = faults.filter((fault) => fault.state === state && fault.from === from);
  if (files.length === 0) return [];
  const found = wrong(CHECK, `${STATES[state]} ${firstOf(files.map(({ name }) => name))}; ${ADVICE[from]}`);
  return [{ ...found, files: files.map(({ name, key }) => ({ name, key, state })) }];
};

const beyond = ({ faults, faulty }: CheckedFiles): Finding[] =>
  faulty > faults.length
    ? [wrong(CHECK, `There are ${faulty - faults.length} more faulty files; repair these first, and run doctor again.`)]
    : [];

/**
 * Compares the bytes of every file that the store refers to with their records. With `quick` it looks only whether each
 * is there with its size.
 */
export const checkFiles = async (
  service: Service,
  { quick, progress }: { readonly quick: boolean; readonly progress?: Progress },
): Promise<Finding[]> => {
  const checked = await service.get('checkFiles')({ quick, ...(progress && { progress }) });
  const { files, faults } = checked;
  const states = Object.keys(STATES) as State[];
  const found = [
    ...states.flatMap((state) => ORIGINS.flatMap((from) => told(state, from, faults))),
    ...beyond(checked),
  ];
  if (found.length > 0) return found;
  const many = countOf(files, 'file');
  return [
    fine(
      CHECK,
      quick
        ? `The object store has every file with its size, ${many} in all; without --quick their bytes are compared too.`
        : `The object store has every file with its size and SHA-256, ${many} in all.`,
    ),
  ];
};
