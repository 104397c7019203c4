import { compareText } from '../../shared/compare-text.ts';
/** A file of the skill package. `path` is relative to the package, with slashes. */
export type SkillFile = { readonly path: string; readonly sha256: string; readonly size: number };

/** The skill package, which teaches agents how to use the design host. */
export type Skill = { readonly name: string; readonly version: string; readonly files: readonly SkillFile[] };

const byPath = (a: SkillFile, b: SkillFile): number => compareText(a.path, b.path);

/** The files in the order of their paths, by UTF-16 code units. */
export const inPathOrder = <F extends SkillFile>(files: readonly F[]): F[] => files.toSorted(byPath);

/**
 * The text whose SHA-256 is the hash of a package: for each file, in the order of paths, its hash, two spaces, its path
 * and a line feed. `sha256sum` prints the same lines.
 */
export const packageLines = (files: readonly SkillFile[]): string =>
  inPathOrder(files)
    .map(({ sha256, path }) => `${sha256}  ${path}\n`)
    .join('');
