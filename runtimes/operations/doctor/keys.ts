import { join } from 'node:path';
import { noKey } from '../../../adapters/crypto/missing-keys.ts';
import { readPrivately } from '../../../adapters/crypto/secret-file.ts';
import { parseSigningKey } from '../../../adapters/crypto/signing-key-file.ts';
import { keyPartsOf } from '../../../adapters/crypto/signing-key-maker.ts';
import { keepSingleKey, SINGLE_KEY_FILES } from '../../../adapters/crypto/signing-key-ring-files.ts';
import { StoredMadeKeys } from '../../../adapters/store/operations.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { toInstant } from '../../../domain/shared/instant.ts';
import { KEY_USES, type KeyUse } from '../../../domain/signing/key-use.ts';
import { currentKey, nextKey, type PrivateKey } from '../../../domain/signing/signing-key-ring.ts';
import type { Config } from '../../composition/config.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import { oneLine } from '../../composition/installation.ts';
import type { Service } from '../../composition/service.ts';
import { absentKeys, makesKeys } from '../../composition/signing-keys.ts';
import { type Finding, fine, next, wrong } from './finding.ts';

/** True where the records show that the store had keys of the use. */
const had = async (service: Service, use: KeyUse): Promise<boolean> => {
  if (await new StoredMadeKeys(service.get('table')).has(use)) return true;
  if (use !== 'artifact') return false;
  const { products } = await service.get('catalogs').current();
  const released = await service.get('releases').of([...products.keys()]);
  return [...released.values()].flat().some(({ artifacts }) => artifacts.some(({ signature }) => signature != null));
};

const fault = async (service: Service, config: Config, use: KeyUse): Promise<string | undefined> => {
  try {
    const inSecret = config.keySecrets[use] !== '';
    const { ring } = await service.get('signingKeyRings')[use].read();
    if (ring.length > 0) return undefined;
    if (!inSecret && (await had(service, use))) return absentKeys(config)(dataFiles(config.dataDir).keys, use);
    // No server starts without it. The keys of the others may come later.
    return use === 'license' && (inSecret || !makesKeys(config)) ? noKey(use) : undefined;
  } catch (error) {
    return oneLine(error);
  }
};

/** Finds keys that are lost or can't be read. Makes none: a new key is no repair, because clients trust the lost one. */
export const checkKeys = async (service: Service, config: Config): Promise<Finding[]> => {
  const faults = await Promise.all(KEY_USES.map((use) => fault(service, config, use)));
  return faults.flatMap((message) => (message === undefined ? [] : [wrong('keys', message)]));
};

/** A file of a single key that has not the key in use. */
type Differing = { readonly use: KeyUse; readonly file: string; readonly key: PrivateKey; readonly text: string };

const differing = async (service: Service, { keySecrets, dataDir }: Config): Promise<Differing[]> => {
  const found: Differing[] = [];
  for (const use of KEY_USES) {
    const name = SINGLE_KEY_FILES[use];
    if (name === undefined || keySecrets[use] !== '') continue;
    const { ring } = await service.get('signingKeyRings')[use].read();
    const key = currentKey(ring, toInstant(Date.now()));
    const file = join(dataFiles(dataDir).keys, name);
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

/** Checks that a key signs the client policy. */
const checkPolicy = async (service: Service): Promise<Finding> => {
  try {
    const { ring } = await service.get('signingKeyRings').policy.read();
    const now = toInstant(Date.now());
    const key = currentKey(ring, now);
    if (!key) {
      const told = 'No key signs the client policy, so it is given out without a signature; run: signing-key create';
      return next('policy', told);
    }
    const { version } = (await service.get('policies').read()).policy;
    const listed = nextKey(ring, now) ? ', and the next key is listed' : '';
    return fine('policy', `Key ${key.kid} signs the client policy, whose version is ${version}${listed}.`);
  } catch (error) {
    return wrong('policy', oneLine(error));
  }
};

/**
 * Checks which keys sign. Finds a file of a single key whose key does not: somebody replaced or removed it after a
 * rotation, when only older versions of the service read it.
 */
export const checkSigning = async (service: Service, config: Config): Promise<Finding[]> => [
  await checkPolicy(service),
  ...(await differing(service, config)).map((one) => wrong('keys', toldOf(one))),
];

/** Writes the key in use to the files of a single key that are missing or empty. Any other file may be somebody's key. */
export const repairKeys = async (service: Service, config: Config, _permit: Permit): Promise<Finding[]> => {
  const missing = (await differing(service, config)).filter(({ text }) => text === '');
  for (const { file, key } of missing) keepSingleKey(file, key);
  return missing.map(({ file, key }) => fine('repair', `${file} has the key in use again, ${key.kid}.`));
};
