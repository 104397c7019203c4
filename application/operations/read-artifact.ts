import { isFileName } from '../../domain/delivery/publication.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { FileFacts, StoreFiles } from '../../ports/outbound/store-files.ts';
import { artifactFault } from './file-intake.ts';
import { counted, type Progress } from './progress.ts';

/** A file and its name in downloads. */
export type NamedFile = { readonly file: string; readonly filename: string };

/** A patch that turns an older build into the file. */
export type PatchFile = NamedFile & { readonly from_build: string };

export type ReadFile = NamedFile & { readonly facts: FileFacts };

export type ReadArtifact = { readonly whole: ReadFile; readonly patches: readonly (PatchFile & ReadFile)[] };

export type ReadingRefusal = 'file_not_found' | 'unfit_file';

const readFile = async (
  files: StoreFiles,
  { file, filename }: NamedFile,
  progress: Progress,
): Promise<Outcome<ReadFile, ReadingRefusal>> => {
  const size = await files.size(file);
  const unfit = isFileName(filename) ? artifactFault(size ?? 1) : 'has a name that no download can have; rename it';
  if (unfit) return refuse('unfit_file', { message: `The file ${file} ${unfit}.` });
  const facts = size === undefined ? undefined : await files.facts(file, counted(progress, 'Reading files', size));
  return facts ? ok({ file, filename, facts }) : refuse('file_not_found', { message: `There is no file ${file}.` });
};

/** Reads a file and its patches for their facts. The refusal names the first file that is missing or unfit. */
export const readArtifact = async (
  files: StoreFiles,
  wish: NamedFile & { readonly deltas: readonly PatchFile[] },
  progress: Progress,
): Promise<Outcome<ReadArtifact, ReadingRefusal>> => {
  const whole = await readFile(files, wish, progress);
  if (!whole.ok) return whole;
  const patches: (PatchFile & ReadFile)[] = [];
  for (const patch of wish.deltas) {
    const read = await readFile(files, patch, progress);
    if (!read.ok) return read;
    patches.push({ ...patch, ...read.value });
  }
  return ok({ whole: whole.value, patches });
};
