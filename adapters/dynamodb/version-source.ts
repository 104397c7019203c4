import { randomBytes } from 'node:crypto';

/** Creates a function that returns a new version at each call, different from every version of every other source. */
export const versionSource = (): (() => string) => {
  const tag = randomBytes(9).toString('base64url');
  let versions = 0;
  return () => `${tag}.${++versions}`;
};
