import type { Permit } from '../../domain/access/permit.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { FileFacts, ReadBytes, StoreFiles } from '../../ports/outbound/files.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { type FileSignature, MAX_SIGNED_BYTES } from '../../ports/outbound/signing.ts';

export type Ports = Needs<'artifactSigner' | 'objects'>;

/**
 * The reason why a file of this size (bytes) can't be the artifact of a release, as the end of a sentence; undefined
 * where it can.
 */
export const artifactFault = (size: number): string | undefined => {
  if (size === 0) return 'is empty';
  return size > MAX_SIGNED_BYTES ? 'is larger than 2 GiB and so can’t be signed in one piece' : undefined;
};

/** Takes an operator's files into the store. */
export const fileIntake = ({ objects, artifactSigner }: Ports) => {
  /**
   * Stores the file under its sha256, unless the store has it whole: bytes that a disk has lost or damaged are written
   * again. Returns whether it stored the file. Throws ChecksumMismatch where the file has changed since its facts were
   * read.
   */
  const keep = async (
    permit: Permit,
    files: StoreFiles,
    path: string,
    { sha256, size }: FileFacts,
    read: ReadBytes,
  ): Promise<boolean> => {
    const key = objectKeyOf(sha256);
    const isWhole = (await objects.examine(key, { sha256, size }, { depth: 'doubtful' })) === 'whole';
    if (isWhole) read(size);
    else await objects.put(permit, key, await files.open(path, read), { sha256, size });
    return !isWhole;
  };

  /** Refuses the id of a key that can't sign; null stands for the key in use. */
  const signer = async (kid: string | null): Promise<Outcome<string | undefined, 'no_such_key'>> => {
    if (kid === null || (await artifactSigner.canSign(kid))) return ok(kid ?? undefined);
    return refuse('no_such_key', {
      message: `No key called ${kid} can sign files; artifact-key --all lists the keys: the one in use and the next one sign.`,
    });
  };

  /** The signature of an artifact by the key in use, or by the one that `kid` names. The whole file is read into memory. */
  const sign = async (files: StoreFiles, path: string, { sha256 }: FileFacts, kid?: string): Promise<FileSignature> =>
    artifactSigner.sign(await files.read(path, sha256), kid);

  /** The `SUPublicEDKey` of the key in use. */
  const publicKey = (): Promise<string> => artifactSigner.publicKey();

  /** The signature where one of the store's keys made it of the artifact; the refusal names the key in use otherwise. */
  const checked = async (
    files: StoreFiles,
    { file, facts }: { file: string; facts: FileFacts },
    signature: string,
  ): Promise<Outcome<FileSignature, 'wrong_signature'>> => {
    const signed_by = await artifactSigner.signerOf(await files.read(file, facts.sha256), signature);
    if (signed_by !== undefined) return ok({ signature, signed_by });
    return refuse('wrong_signature', {
      message: `The signature is not one of ${file} by the store’s key, whose SUPublicEDKey is ${await publicKey()}; sign this file with that key, or leave the signature out.`,
    });
  };

  return { keep, signer, sign, publicKey, checked };
};

export type FileIntake = ReturnType<typeof fileIntake>;
