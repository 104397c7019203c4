import type { Instant } from '../../domain/shared/instant.ts';
import { firstRing, readSigningKeyRing, type SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import { parseSigningKey } from './signing-key-file.ts';
import { keyPartsOf } from './signing-key-maker.ts';

/**
 * The ring in a text. The text of a single private key, as older versions of the service keep one, is a ring with this
 * key in use since `at`. Undefined for any other text.
 */
export const ringIn = (text: string, at: Instant): SigningKeyRing | undefined => {
  const ring = readSigningKeyRing(text);
  if (ring) return ring;
  const key = parseSigningKey(text);
  return key && firstRing(keyPartsOf(key), at);
};
