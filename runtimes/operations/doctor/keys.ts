import { join } from 'node:path';
import { lostKeys } from '../../../adapters/crypto/signing-key-ring-files.ts';
import { StoredMadeKeys } from '../../../adapters/store/made-keys.ts';
import { KEY_USES, type KeyUse } from '../../../domain/signing/key-use.ts';
import type { Config } from '../../composition/config.ts';
import { oneLine } from '../../composition/faults.ts';
import type { Service } from '../../composition/service.ts';
import { type Finding, wrong } from './finding.ts';

/** True where the records show that the store had keys of the use. */
const had = async (service: Service, use: KeyUse): Promise<boolean> => {
  if (await new StoredMadeKeys(service.get('table')).has(use)) return true;
  if (use !== 'artifact') return false;
  const { products } = await service.get('catalogs').current();
  const released = await service.get('releases').of([...products.keys()]);
  return [...released.values()].flat().some(({ artifacts }) => artifacts.some(({ signature }) => signature != null));
};

const fault = async (service: Service, { keySecrets, dataDir }: Config, use: KeyUse): Promise<string | undefined> => {
  try {
    const { ring } = await service.get('signingKeyRings')[use].read();
    if (ring.length > 0 || keySecrets[use] !== '' || !(await had(service, use))) return undefined;
    return lostKeys(join(dataDir, 'keys'), use);
  } catch (error) {
    return oneLine(error);
  }
};

/** Finds keys that are lost or can't be read. Makes none: a new key is no repair, because clients trust the lost one. */
export const checkKeys = async (service: Service, config: Config): Promise<Finding[]> => {
  const faults = await Promise.all(KEY_USES.map((use) => fault(service, config, use)));
  return faults.flatMap((message) => (message === undefined ? [] : [wrong('keys', message)]));
};
