import type { InstallationType } from './artifact-format.ts';
import type { Artifact } from './release.ts';

/**
 * The endings of the files that Sparkle can unpack (SUUnarchiver), compared in lower case only. Apple Archives need
 * Sparkle 2.7 and macOS 10.15.
 */
const INSTALLABLE = [
  '.zip',
  '.dmg',
  '.tar',
  '.tar.gz',
  '.tgz',
  '.tar.bz2',
  '.tbz',
  '.tar.xz',
  '.txz',
  '.tar.lzma',
  '.aar',
  '.yaa',
  '.pkg',
  '.mpkg',
] as const;

const listed = `${INSTALLABLE.slice(0, -1).join(', ')} or ${INSTALLABLE.at(-1)}`;

const endsIn = (filename: string, endings: readonly string[]): boolean =>
  endings.some((ending) => filename.endsWith(ending) && filename !== ending);

/** True for an installer package that is not in an archive. */
const isBarePackage = (filename: string): boolean => endsIn(filename, ['.pkg', '.mpkg']);

/**
 * How Sparkle installs a file; null for a plain application. Sparkle would recognise a bare package by the ending of
 * its URL, which ours lack.
 */
export const installationTypeOf = ({
  filename,
  installation_type,
}: Pick<Artifact, 'filename' | 'installation_type'>): InstallationType | null =>
  installation_type ?? (isBarePackage(filename) ? 'package' : null);

export type FileFault = { readonly member: string; readonly message: string };

/**
 * The faults of a file that a feed offers: Sparkle tells what to do with a file by the ending of its name. `member` is
 * the place of the artifact in its release.
 */
export const installFaults = (artifact: Artifact, member: string): FileFault[] => {
  const { filename, installation_type, deltas = [] } = artifact;
  const unfit = deltas.flatMap((delta, n) =>
    endsIn(delta.filename, ['.delta'])
      ? []
      : [
          {
            member: `${member}.deltas.${n}`,
            message: `"${delta.filename}" is no patch for Sparkle, whose name ends in .delta`,
          },
        ],
  );
  if (!endsIn(filename, INSTALLABLE)) {
    const message = `Sparkle can’t install "${filename}"; the name must end in ${listed}, in lower case`;
    return [{ member, message }, ...unfit];
  }
  if (installation_type === 'interactive-package' && isBarePackage(filename)) {
    const message = 'Sparkle opens an interactive package from an archive only; put the package into a .zip';
    return [{ member: `${member}.installation_type`, message }, ...unfit];
  }
  if (installationTypeOf(artifact) !== null && deltas.length > 0) {
    return [{ member: `${member}.deltas`, message: 'Sparkle applies patches to applications, and not to packages' }];
  }
  return unfit;
};
