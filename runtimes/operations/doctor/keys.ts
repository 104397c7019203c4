import { noKey } from '../../../adapters/crypto/signing-key-ring-files.ts';
import { StoredMadeKeys } from '../../../adapters/store/operations.ts';
import { toInstant } from '../../../domain/shared/instant.ts';
import { KEY_USES, type KeyUse } from '../../../domain/signing/key-use.ts';
import { currentKey, nextKey } from '../../../domain/signing/signing-key-ring.ts';
import type { Config } from '../../composition/config.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import { oneLine } from '../../composition/installation.ts';
import type { Service } from '../../composition/service.ts';
import { absentKeys, makesKeys } from '../../composition/signing-keys.ts';
import { type Finding, fine, next, wrong } from './finding.ts';

const fault = async (service: Service, config: Config, use: KeyUse): Promise<string | undefined> => {
  try {
    const inSecret = config.keySecrets[use] !== '';
    const { ring } = await service.get('signingKeyRings')[use].read();
    if (ring.length > 0) return undefined;
    if (!inSecret && (await new StoredMadeKeys(service.get('table')).has(use)))
      return absentKeys(config)(dataFiles(config.dataDir).keys, use);
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

/** Checks that a key signs the client policy. */
export const checkPolicy = async (service: Service): Promise<Finding> => {
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
