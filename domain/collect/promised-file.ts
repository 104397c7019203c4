import { invalid } from '../shared/field-errors.ts';
import { type Outcome, ok } from '../shared/outcome.ts';
import type { PromisedImage, StoredFile } from '../shared/stored-file.ts';

/** The files of a capture. */
export const CAPTURE_FILES = ['image', 'html'] as const;
export type CaptureFile = (typeof CAPTURE_FILES)[number];

/** The sum and the size in bytes that a collector tells of a file; null where it tells nothing. */
export type ToldFile = { readonly sha256: string | null; readonly size: number | null };

/** Milliseconds for which a promised file may be uploaded. */
export const UPLOAD_MS = 15 * 60 * 1000;

/**
 * The file that a collector promises in place of one in the form; null where it promises none. Sum and size go
 * together. A file that is in the form has to be the one that they tell of.
 */
export const judgePromise = (
  part: CaptureFile,
  { sha256, size }: ToldFile,
  received: StoredFile | null,
): Outcome<StoredFile | null, 'validation_failed'> => {
  if (received !== null) {
    const isSame = sha256 === null || sha256 === received.sha256;
    return isSame
      ? ok(null)
      : invalid({ [`${part}_sha256`]: [`The ${part}_sha256 field must be the SHA-256 of the ${part} that was sent.`] });
  }
  if (sha256 === null && size === null) return ok(null);
  if (size === null) {
    return invalid({ [`${part}_size`]: [`The ${part}_size field is required when ${part}_sha256 is present.`] });
  }
  if (sha256 === null) {
    return invalid({ [`${part}_sha256`]: [`The ${part}_sha256 field is required when ${part}_size is present.`] });
  }
  return ok({ sha256, size });
};

/** A promised image. Nobody knows its type and dimensions before the bytes are there; the replay measures them. */
export const promisedImage = ({ sha256, size }: StoredFile): PromisedImage => ({
  sha256,
  size,
  type: null,
  width: null,
  height: null,
});
