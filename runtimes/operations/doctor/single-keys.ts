import { readPrivately } from '../../../adapters/crypto/secret-file.ts';
import { parseSigningKey } from '../../../adapters/crypto/signing-key-file.ts';
import { keyPartsOf } from '../../../adapters/crypto/signing-key-maker.ts';
import { keepSingleKey } from '../../../adapters/crypto/signing-key-ring-files.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { toInstant } from '../../../domain/shared/instant.ts';
import { currentKey, type PrivateKey } from '../../../domain/signing/signing-key-ring.ts';
import type { Config } from '../../composition/config.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import type { Service } from '../../composition/service.ts';
import { type Finding, fine, wrong } from './finding.ts';

type SingleUse = 'license' | 'artifact';

/** A file of a single key that has not the key in use. */
type Differing = { readonly use: SingleUse; readonly file: string; readonly key: PrivateKey; readonly text: string };

const differing = async (service: Service, { keySecrets, dataDir }: Config): Promise<Differing[]> => {
  const { licenseKey, artifactKey } = dataFiles(dataDir);
  const found: Differing[] = [];
  for (const [use, file] of [
    ['license', licenseKey],
    ['artifact', artifactKey],
  ] as const) {
    if (keySecrets[use] !== '') continue;
    const { ring } = await service.get('signingKeyRings')[use].read();
    const key = currentKey(ring, toInstant(Date.now()));
    const text = readPrivately(file)?.trim() ?? '';
    const there = parseSigningKey(text);
    if (key && (!there || keyPartsOf(there).kid !== key.kid)) found.push({ use, file, key, text });
  }
  return found;
};

const toldOf = ({ use, file, key, text }: Differing): string => {
  if (text === '') return `${file} is missing, and an older version would sign with a new key; run: doctor --repair`;
  const unlike = `${file} does not hold the key in use, ${key.kid}, so that nothing signs with it; `;
  return parseSigningKey(text)
    ? `${unlike}run: signing-key create --use ${use} --from ${file}`
    : `${unlike}move it away, and run: doctor --repair`;
};

/**
 * Finds a file of a single key whose key does not sign: somebody replaced or removed it after a rotation, when only
 * older versions of the service read it.
 */
export const checkSingleKeys = async (service: Service, config: Config): Promise<Finding[]> =>
  (await differing(service, config)).map((one) => wrong('keys', toldOf(one)));

/** Writes the key in use to the files of a single key that are missing or empty. Any other file may be somebody's key. */
export const repairSingleKeys = async (service: Service, config: Config, _permit: Permit): Promise<Finding[]> => {
  const missing = (await differing(service, config)).filter(({ text }) => text === '');
  for (const { file, key } of missing) keepSingleKey(file, key);
  return missing.map(({ file, key }) => fine('repair', `${file} has the key in use again, ${key.kid}.`));
};
