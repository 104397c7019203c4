import { otherBytes, otherPatch, platformName } from '../../domain/delivery/publication.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { filesOf } from '../../domain/operations/release-faults.ts';
import type { ArtifactEntry, FileEntry, ProductEntry, ReleaseEntry } from '../../domain/operations/store-document.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { artifactFault } from './file-intake.ts';
import { assetFiles, type FoundFiles } from './found-files.ts';

const fileFault = ({ file, sha256 }: FileEntry, at: string, { facts }: FoundFiles): Fault[] => {
  const found = facts.get(file);
  if (!found) return [{ path: `${at}.file`, message: `there is no file "${file}" in the document’s folder` }];
  const unfit = artifactFault(found.size);
  return [
    ...(unfit ? [{ path: `${at}.file`, message: `"${file}" ${unfit}` }] : []),
    ...(sha256 === null || sha256 === found.sha256
      ? []
      : [{ path: `${at}.sha256`, message: `the sha256 of "${file}" is ${found.sha256}` }]),
  ];
};

/** Faults of files that differ from the files published in their place. */
const replacedFaults = (
  artifact: ArtifactEntry,
  at: string,
  before: Release | undefined,
  { facts }: FoundFiles,
): Fault[] => {
  const { platform, file, deltas = [] } = artifact;
  const sum = facts.get(file)?.sha256;
  const there = sum && otherBytes(before, { platform, sha256: sum });
  const same = before?.artifacts.find((one) => one.platform === platform);
  return [
    ...(there
      ? [
          {
            path: `${at}.file`,
            message: `this version has another file for ${platformName(there)} already (sha256 ${there.sha256})`,
          },
        ]
      : []),
    ...deltas.flatMap(({ from_build, file: patch }, n) => {
      const sha256 = facts.get(patch)?.sha256;
      const other = sha256 && otherPatch(same, { from_build, sha256 });
      const message = `this version has another patch from build ${from_build} already`;
      return other ? [{ path: `${at}.deltas.${n}.file`, message: `${message} (sha256 ${other.sha256})` }] : [];
    }),
  ];
};

const releaseFileFaults = (
  { artifacts }: ReleaseEntry,
  path: string,
  before: Release | undefined,
  found: FoundFiles,
): Fault[] =>
  artifacts.flatMap((artifact, n) => {
    const within = `${path}.artifacts.${n}`;
    return [
      ...filesOf(artifact).flatMap(({ at, entry }) => fileFault(entry, within + at, found)),
      ...replacedFaults(artifact, within, before, found),
    ];
  });

/** The members of a product that name one of its content assets, each with the path that it names. */
const assetNames = ({ hero, install_assets, content }: ProductEntry): (readonly [string, string | null])[] => [
  ['hero.path', hero?.path ?? null],
  ...install_assets.map(({ path }, n) => [`install_assets.${n}.path`, path] as const),
  ...content.gallery.map(({ path }, n) => [`content.gallery.${n}.path`, path] as const),
  ['content.usage_path', content.usage_path],
  ['content.architecture_path', content.architecture_path],
  ['content.ai_prompt_path', content.ai_prompt_path],
];

const assetFaults = (entry: ProductEntry, path: string, found: FoundFiles): Fault[] => {
  const folder = entry.content.assets_dir;
  if (folder !== null && !found.folders.has(folder)) {
    return [{ path: `${path}.content.assets_dir`, message: `there is no folder "${folder}" in the document’s folder` }];
  }
  const assets = assetFiles(folder, found);
  const paths = new Set(assets.map((asset) => asset.path));
  const why =
    folder === null
      ? 'is named without an assets_dir; set assets_dir to its folder'
      : `is no file of assets_dir "${folder}"`;
  return [
    ...assets
      .filter(({ file }) => !found.facts.has(file))
      .map(({ file }) => ({
        path: `${path}.content.assets_dir`,
        message: `"${file}" is not a file of the document’s folder, or a link that leads out of it`,
      })),
    ...assetNames(entry).flatMap(([member, named]) =>
      named === null || paths.has(named) ? [] : [{ path: `${path}.${member}`, message: `"${named}" ${why}` }],
    ),
  ];
};

/** The faults of the files of a document: missing, unfit, with another sha256, or different from the published ones. */
export const fileFaults = (
  { products, releases }: { products: readonly ProductEntry[]; releases: readonly ReleaseEntry[] },
  stored: ReadonlyMap<number, readonly Release[]>,
  found: FoundFiles,
): Fault[] => [
  ...products.flatMap((entry, i) => assetFaults(entry, `products.${i}`, found)),
  ...releases.flatMap((entry, i) => {
    const before = stored.get(entry.product_id)?.find(({ id }) => id === entry.id);
    return releaseFileFaults(entry, `releases.${i}`, before, found);
  }),
];
