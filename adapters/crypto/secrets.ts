import { randomBytes, randomInt } from 'node:crypto';
import type { Secrets } from '../../ports/outbound/system.ts';

/** Random values from the operating system's generator. */
export const secrets: Secrets = {
  value: () => randomBytes(32).toString('base64url'),
  letters: (alphabet, length) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join(''),
};
