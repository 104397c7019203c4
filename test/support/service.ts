import { randomBytes } from 'node:crypto';
import type { Passwords } from '../../ports/outbound/accounts.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import type { Overrides, Service } from '../../runtimes/composition/bootstrap.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import type { Engines, Settings } from '../../runtimes/composition/settings.ts';
import { memoryEngines, SETTINGS } from './memory-engines.ts';

/* Creates the whole service with every area for tests, which is slower than the few areas of `aStore`. */

/** Passwords with random salts like the real ones, but without their cost. */
const cheapPasswords: Passwords = {
  hash: async (password) => `${randomBytes(8).toString('hex')}:${password}`,
  verify: async (password, hash) => hash?.endsWith(`:${password}`) ?? false,
};

/** The wired service. Its catalog is cached for 1 ms only, so that each read sees the writes of other services. */
export const memoryService = (
  overrides: Overrides = {},
  engines: Engines = memoryEngines(),
  limits: Partial<Settings> = {},
): Service => {
  const settings = { ...SETTINGS, perAccount: 1e6, perAgent: 1e6, perAddress: 1e6, catalogAge: 1, ...limits };
  return bootstrap(settings, engines, EVERY_AREA, { passwords: cheapPasswords, ...overrides });
};
