import { join } from 'node:path';
import { readPrivately } from '../../../adapters/crypto/secret-file.ts';
import { parseSigningKey } from '../../../adapters/crypto/signing-key-file.ts';
import { keyPartsOf } from '../../../adapters/crypto/signing-key-maker.ts';
import { SINGLE_KEY_FILES, SigningKeyRingFiles } from '../../../adapters/crypto/signing-key-ring-files.ts';
import { KEY_USES } from '../../../domain/signing/key-use.ts';

/**
 * The files of a single key in the target that hold an earlier key of the source's ring: the target was copied before
 * the key in use changed. `names` are the files that both sides have.
 */
export const singleKeysOfBefore = async (
  source: string,
  target: string,
  names: readonly string[],
): Promise<string[]> => {
  const found: string[] = [];
  for (const use of KEY_USES) {
    const name = SINGLE_KEY_FILES[use];
    if (name === undefined || !names.includes(name)) continue;
    const { ring } = await new SigningKeyRingFiles(source, use).read();
    const key = parseSigningKey(readPrivately(join(target, name)) ?? '');
    const before = key && keyPartsOf(key).kid;
    if (ring.some(({ kid, d }) => kid === before && d === null)) found.push(name);
  }
  return found;
};
