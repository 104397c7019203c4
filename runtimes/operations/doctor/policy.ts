import { currentKey, nextKey } from '../../../domain/policy/key-ring.ts';
import type { Service } from '../../composition/bootstrap.ts';
import { oneLine } from '../../composition/faults.ts';
import { type Finding, fine, wrong } from './finding.ts';

const CHECK = 'policy';

/** That the client policy is signed, and with what. */
export const checkPolicy = async (service: Service): Promise<Finding> => {
  try {
    const { ring } = await service.get('keyRings').read();
    const key = currentKey(ring);
    if (!key) {
      return wrong(
        CHECK,
        'No key signs the client policy, so it is given out without a signature; run: signing-key create',
      );
    }
    const { version } = (await service.get('policies').read()).policy;
    const next = nextKey(ring) ? ', and the next key is listed' : '';
    return fine(CHECK, `Key ${key.kid} signs the client policy, whose version is ${version}${next}.`);
  } catch (error) {
    return wrong(CHECK, oneLine(error));
  }
};
