import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { type ArtifactSigner, MAX_SIGNED_BYTES } from '../../ports/outbound/artifact-signer.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { FileFacts, ReadBytes, StoreFiles } from '../../ports/outbound/store-files.ts';

type Ports = { objects: ObjectStore; artifactSigner: ArtifactSigner };

/** Why a file can't be the artifact of a release, as the end of a sentence; undefined where it can. */
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

  /** Stores the file's bytes under what they are, unless they are there. A file that has changed since is refused. */
  async keep(files: StoreFiles, path: string, { sha256, size }: FileFacts, read: ReadBytes): Promise<void> {
    const { objects } = this.#ports;
    const key = objectKeyOf(sha256);
    if (await objects.stat(key)) read(size);
    else await objects.put(key, await files.open(path, read), { sha256, size });
  }

  /** The signature of an artifact, which takes the file into memory whole. */
  async sign(files: StoreFiles, path: string, { sha256 }: FileFacts): Promise<string> {
    return this.#ports.artifactSigner.sign(await files.read(path, sha256));
  }
}
