import { readPrivately } from '../../../adapters/crypto/secret-file.ts';
import { parseSigningKey } from '../../../adapters/crypto/signing-key-file.ts';
import { keyPartsOf } from '../../../adapters/crypto/signing-key-maker.ts';
import { currentKey } from '../../../domain/signing/signing-key-ring.ts';
import type { Config } from '../../composition/config.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import type { Service } from '../../composition/service.ts';
import { type Finding, wrong } from './finding.ts';

/**
 * Finds a file of a single key whose key does not sign: somebody replaced it after a rotation, when only older versions
 * of the service read it.
 */
export const checkSingleKeys = async (service: Service, { keySecrets, dataDir }: Config): Promise<Finding[]> => {
  const { licenseKey, artifactKey } = dataFiles(dataDir);
  const found: Finding[] = [];
  for (const [use, file] of [
    ['license', licenseKey],
    ['artifact', artifactKey],
  ] as const) {
    if (keySecrets[use] !== '') continue;
    const key = currentKey((await service.get('signingKeyRings')[use].read()).ring);
    const there = parseSigningKey(readPrivately(file) ?? '');
    if (!key || (there && keyPartsOf(there).kid === key.kid)) continue;
    found.push(
      wrong(
        'keys',
        `${file} does not hold the key in use, ${key.kid}, so that nothing signs with it; run: signing-key create --use ${use}${there ? ` --from ${file}` : ''}`,
      ),
    );
  }
  return found;
};
