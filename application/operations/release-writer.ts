import type { Permit } from '../../domain/access/permit.ts';
import { formatOf } from '../../domain/delivery/artifact-format.ts';
import { besideOthers, otherBytes, platformName, withDeltas } from '../../domain/delivery/publication.ts';
import type { Artifact, Delta, Release } from '../../domain/delivery/release.ts';
import {
  type ArtifactEntry,
  downloadName,
  type FileEntry,
  type ReleaseEntry,
  withdrawalAfter,
} from '../../domain/operations/store-document.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { FileSignature } from '../../ports/outbound/artifact-signer.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { ReleaseEditor } from '../../ports/outbound/releases.ts';
import type { FileFacts, StoreFiles } from '../../ports/outbound/store-files.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { ChangedMeanwhile } from './changed-meanwhile.ts';
import type { FileIntake } from './file-intake.ts';
import type { FoundFiles } from './found-files.ts';
import type { Saved } from './import-counts.ts';

export type Ports = { releaseEditor: ReleaseEditor; pauses: Pauses; fileIntake: FileIntake };

/**
 * Writes a checked release and signs its new files. A release that equals the stored one is left alone. `version` must
 * be normalized by the scheme of the product.
 */
export const releaseWriter = ({ releaseEditor, pauses, fileIntake }: Ports) => {
  /** A file with the published bytes keeps its signature. */
  const artifactOf = async (
    entry: ArtifactEntry,
    facts: FoundFiles['facts'],
    before: Release | undefined,
    files: StoreFiles,
  ): Promise<Artifact> => {
    const { platform, installation_type } = entry;
    const kept = before?.artifacts.find((artifact) => artifact.platform === platform);
    const file = await fileOf(entry, facts, kept, files);
    const other = otherBytes(before, { platform, sha256: file.sha256 });
    if (other) {
      throw new ChangedMeanwhile(
        `Version ${before?.version} was published with another file for ${platformName(other)}; run the import again.`,
      );
    }
    const named: Delta[] = [];
    for (const delta of entry.deltas ?? []) {
      const known = kept?.deltas?.find(({ from_build }) => from_build === delta.from_build);
      named.push({ from_build: delta.from_build, ...(await fileOf(delta, facts, known, files)) });
    }
    const deltas = withDeltas(kept, named);
    return {
      platform,
      ...file,
      format: formatOf(file.filename),
      ...(deltas.length > 0 && { deltas }),
      ...(installation_type && { installation_type }),
    };
  };

  /** The facts of a file, with its published signature or a new one. */
  const fileOf = async (
    entry: FileEntry,
    found: FoundFiles['facts'],
    before: Pick<Artifact, 'sha256' | keyof FileSignature> | undefined,
    files: StoreFiles,
  ): Promise<Pick<Artifact, 'filename' | 'sha256' | 'size' | keyof FileSignature>> => {
    const known = found.get(entry.file);
    if (!known) throw new ChangedMeanwhile(`${entry.file} is gone; run the import again.`);
    const { sha256, size } = known;
    const facts = { filename: downloadName(entry), sha256, size };
    if (before?.sha256 !== sha256 || before.signature === null) {
      return { ...facts, ...(await signatureOf(entry, known, files)) };
    }
    const { signature, signed_by } = before;
    return { ...facts, signature, ...(signed_by !== undefined && { signed_by }) };
  };

  /** The signature of the entry where one of the store's keys made it, and one by the key in use otherwise. */
  const signatureOf = async (
    { file, signature }: FileEntry,
    facts: FileFacts,
    files: StoreFiles,
  ): Promise<FileSignature> => {
    const given = signature ? await fileIntake.checked(files, { file, facts }, signature) : undefined;
    return given?.ok ? given.value : fileIntake.sign(files, file, facts);
  };

  return (permit: Permit, entry: ReleaseEntry, files: StoreFiles, { facts }: FoundFiles): Promise<Saved> => {
    const { artifacts: named, withdrawn: _, ...details } = entry;
    return untilWritten(pauses, async () => {
      const read = await releaseEditor.read(entry.product_id, entry.version);
      const artifacts: Artifact[] = [];
      for (const artifact of named) artifacts.push(await artifactOf(artifact, facts, read.release, files));
      const release: Release = {
        ...details,
        ...withdrawalAfter(entry, read.release),
        artifacts: besideOthers(read.release, artifacts),
      };
      if (isSameJson(read.release, release)) return 'unchanged';
      if (!(await releaseEditor.save(permit, release, read))) return CONFLICT;
      return read.release ? 'updated' : 'created';
    });
  };
};

export type ReleaseWriter = ReturnType<typeof releaseWriter>;
