import { toInstant } from '../../../domain/shared/instant.ts';
import { currentKey, nextKey } from '../../../domain/signing/signing-key-ring.ts';
import { oneLine } from '../../composition/faults.ts';
import type { Service } from '../../composition/service.ts';
import { type Finding, fine, next, wrong } from './finding.ts';

const CHECK = 'policy';

/** Checks that a key signs the client policy. */
export const checkPolicy = async (service: Service): Promise<Finding> => {
  try {
    const { ring } = await service.get('signingKeyRings').policy.read();
    const now = toInstant(Date.now());
    const key = currentKey(ring, now);
    if (!key) {
      return next(
        CHECK,
        'No key signs the client policy, so it is given out without a signature; run: signing-key create',
      );
    }
    const { version } = (await service.get('policies').read()).policy;
    const listed = nextKey(ring, now) ? ', and the next key is listed' : '';
    return fine(CHECK, `Key ${key.kid} signs the client policy, whose version is ${version}${listed}.`);
  } catch (error) {
    return wrong(CHECK, oneLine(error));
  }
};
