import { formatContentType, formatOf } from '../../domain/delivery/artifact-format.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { MINUTE_MS, millis, toInstant } from '../../domain/shared/instant.ts';
import type { ObjectStore, SignedDownload } from '../../ports/outbound/object-store.ts';
import type { Clock } from '../../ports/outbound/system.ts';

/** The validity of a signed download URL. */
const DOWNLOAD_MINUTES = 15;

/** A signed URL of a published file, valid for 15 minutes without a credential. */
export const signFile = (
  { objects, clock }: { objects: ObjectStore; clock: Clock },
  { sha256, filename }: { sha256: string; filename: string },
): Promise<SignedDownload> =>
  objects.signDownload(objectKeyOf(sha256), {
    filename,
    contentType: formatContentType(formatOf(filename)),
    expiresAt: toInstant(millis(clock.now()) + DOWNLOAD_MINUTES * MINUTE_MS),
  });
