import { join } from 'node:path';
import { noKey } from '../../../adapters/crypto/missing-keys.ts';
import { StoredMadeKeys } from '../../../adapters/store/operations.ts';
import { KEY_USES, type KeyUse } from '../../../domain/signing/key-use.ts';
import type { Config } from '../../composition/config.ts';
import { oneLine } from '../../composition/faults.ts';
import type { Service } from '../../composition/service.ts';
import { absentKeys, makesKeys } from '../../composition/signing-keys.ts';
import { type Finding, wrong } from './finding.ts';

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
    if (!inSecret && (await had(service, use))) return absentKeys(config)(join(config.dataDir, 'keys'), use);
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
