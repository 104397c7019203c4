import { formatContentType, formatOf } from '../../domain/delivery/artifact-format.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { MINUTE_MS, millis, toInstant } from '../../domain/shared/instant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { ObjectStore, SignedDownload } from '../../ports/outbound/object-store.ts';

/** How long a signed download URL holds. */
const DOWNLOAD_MINUTES = 15;

/** An address from which a published file can be fetched without a credential for a quarter of an hour. */
export const signFile = (
  { objects, clock }: { objects: ObjectStore; clock: Clock },
  { sha256, filename }: { sha256: string; filename: string },
): Promise<SignedDownload> =>
  objects.signDownload(objectKeyOf(sha256), {
    filename,
    contentType: formatContentType(formatOf(filename)),
    expiresAt: toInstant(millis(clock.now()) + DOWNLOAD_MINUTES * MINUTE_MS),
  });
