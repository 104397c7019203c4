import type { Permit } from '../../domain/access/permit.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { type ArtifactSigner, MAX_SIGNED_BYTES } from '../../ports/outbound/artifact-signer.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { FileFacts, ReadBytes, StoreFiles } from '../../ports/outbound/store-files.ts';

type Ports = { objects: ObjectStore; artifactSigner: ArtifactSigner };

/**
 * The reason why a file of this size (bytes) can't be the artifact of a release, as the end of a sentence; undefined
 * where it can.
 */
export const artifactFault = (size: number): string | undefined => {
  if (size === 0) return 'is empty';
  return size > MAX_SIGNED_BYTES ? 'is larger than 2 GiB and so can’t be signed in one piece' : undefined;
};

/** Takes an operator's files into the store. */
export class FileIntake {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Stores the file under its sha256, unless the store has it whole: bytes that a disk has lost or damaged are written
   * again. Throws ChecksumMismatch where the file has changed since its facts were read.
   */
  async keep(
    permit: Permit,
    files: StoreFiles,
    path: string,
    { sha256, size }: FileFacts,
    read: ReadBytes,
  ): Promise<void> {
    const { objects } = this.#ports;
    const key = objectKeyOf(sha256);
    if ((await objects.examine(key, { sha256, size }, { depth: 'doubtful' })) === 'whole') read(size);
    else await objects.put(permit, key, await files.open(path, read), { sha256, size });
  }

  /** The signature of an artifact. The whole file is read into memory. */
  async sign(files: StoreFiles, path: string, { sha256 }: FileFacts): Promise<string> {
    return this.#ports.artifactSigner.sign(await files.read(path, sha256));
  }

  /** The signature where it is one of the artifact by the store's key; the refusal names that key otherwise. */
  async checked(
    files: StoreFiles,
    { file, facts }: { file: string; facts: FileFacts },
    signature: string,
  ): Promise<Outcome<string, 'wrong_signature'>> {
    const { artifactSigner } = this.#ports;
    if (artifactSigner.verify(await files.read(file, facts.sha256), signature)) return ok(signature);
    return refuse('wrong_signature', {
      message: `The signature is not one of ${file} by the store’s key, whose SUPublicEDKey is ${artifactSigner.publicKey()}; sign this file with that key, or leave the signature out.`,
    });
  }

  /** The signatures of files, in their order. Only one file at a time is in memory. */
  async signAll(files: StoreFiles, all: readonly { file: string; facts: FileFacts }[]): Promise<string[]> {
    const signatures: string[] = [];
    for (const { file, facts } of all) signatures.push(await this.sign(files, file, facts));
    return signatures;
  }
}
