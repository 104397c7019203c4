import type { Release } from '../../domain/delivery/release.ts';
import { filesOf } from '../../domain/operations/release-faults.ts';
import type { ReleaseEntry } from '../../domain/operations/store-document.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import type { StoreFiles } from '../../ports/outbound/store-files.ts';
import type { FileIntake } from './file-intake.ts';
import type { FoundFiles } from './found-files.ts';

/** The sums of a version's signed files, whose signatures stay. */
const signedSums = (before: Release | undefined): Set<string> =>
  new Set(
    (before?.artifacts ?? [])
      .flatMap((artifact) => [artifact, ...(artifact.deltas ?? [])])
      .flatMap(({ sha256, signature }) => (signature === null ? [] : [sha256])),
  );

/**
 * The signatures of a checked document that an import replaces, because no key of this store made them of their files.
 * The operator has to know: an application in the field refuses a file that its own key did not sign.
 */
export const signatureWarnings = async (
  entries: readonly ReleaseEntry[],
  stored: ReadonlyMap<number, readonly Release[]>,
  { facts }: FoundFiles,
  files: StoreFiles,
  fileIntake: FileIntake,
): Promise<Fault[]> => {
  const warnings: Fault[] = [];
  for (const [i, { id, product_id, artifacts }] of entries.entries()) {
    const kept = signedSums(stored.get(product_id)?.find((release) => release.id === id));
    for (const [n, artifact] of artifacts.entries()) {
      for (const { at, entry } of filesOf(artifact)) {
        const { file, signature } = entry;
        const known = facts.get(file);
        if (!signature || !known || kept.has(known.sha256)) continue;
        if ((await fileIntake.checked(files, { file, facts: known }, signature)).ok) continue;
        const message = `is of no key of this store, or of another file; the file was signed with the SUPublicEDKey ${await fileIntake.publicKey()}, and applications that have another key refuse it`;
        warnings.push({ path: `releases.${i}.artifacts.${n}${at}.signature`, message });
      }
    }
  }
  return warnings;
};
