import { Client as PlainClient } from './client.js';

export { ApiError } from './calls.js';
export { memoryStore } from './store.js';

/** @import { Options, Store } from './index.d.ts' */

/** @param {string} [prefix] @returns {Store} */
export const localStore = (prefix = 'license.') => ({
  get: (name) => localStorage.getItem(prefix + name),
  set: (name, text) =>
    text === null ? localStorage.removeItem(prefix + name) : localStorage.setItem(prefix + name, text),
  create: (name, text) => {
    const isNew = localStorage.getItem(prefix + name) === null;
    if (isNew) localStorage.setItem(prefix + name, text);
    return isNew;
  },
});

/** A browser that blocks cookies throws at this name. */
const hasStorage = () => {
  try {
    return typeof localStorage === 'object' && localStorage !== null;
  } catch {
    return false;
  }
};

export class Client extends PlainClient {
  /** @param {Options} options */
  constructor(options) {
    super({ ...(hasStorage() && { store: localStore() }), ...options });
  }
}
