import { failure, fields, note } from './calls.js';

/** @import { Options, Store } from './index.d.ts' */

/** @returns {Store} */
export const memoryStore = () => {
  /** @type {Map<string, string>} */
  const texts = new Map();
  return {
    get: (name) => texts.get(name) ?? null,
    set: (name, text) => void (text === null ? texts.delete(name) : texts.set(name, text)),
    create: (name, text) => !texts.has(name) && !!texts.set(name, text),
  };
};

/** @typedef {'answer' | 'clock' | 'trust' | 'key' | 'device' | 'device-2'} Name */

/** The id in a text; null if it is damaged. @param {string | null} text */
const idOf = (text) => {
  const id = (text ?? '').replace(/^\ufeff/, '').trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a damaged disk gives zeros.
  return /^[^\u0000-\u001f\u007f]{1,255}$/.test(id) ? id : null;
};

/**
 * The memory of a client for one product at one API. If the store fails, the client only loses its memory: the texts
 * are kept here as long as the client lives, and `fault` has the store's error.
 */
export class Memory {
  #store;
  #scope;
  #options;
  /** Texts that the store failed to save. @type {Map<Name, string | null>} */
  #unwritten = new Map();
  /** @type {Promise<string> | undefined} */
  #making;
  /** @type {string | null} */
  fault = null;

  /** @param {Options & { store: Store }} options */
  constructor(options) {
    this.#store = options.store;
    this.#options = options;
    const address = options.api.replace(/^\w+:\/\//, '');
    this.#scope = address.toLowerCase().replace(/[^a-z0-9.-]/g, '_');
  }

  /** A text; null if it is missing or unreadable. @param {Name} name */
  async get(name) {
    const held = this.#unwritten.get(name);
    if (held !== undefined) return held;
    // Names in earlier versions had no scope.
    for (const full of [this.#scoped(name), this.#former(name)]) {
      try {
        const text = await this.#store.get(full);
        if (typeof text === 'string') return text;
      } catch (thrown) {
        this.#failed(name, thrown);
      }
    }
    return null;
  }

  /** A text that other processes can read too; null if the store failed to save it. @param {Name} name */
  async shared(name) {
    return this.#unwritten.has(name) ? null : this.get(name);
  }

  /** @param {Name} name @param {string | null} text */
  async set(name, text) {
    try {
      await this.#store.set(this.#scoped(name), text);
      if (text === null) await this.#store.set(this.#former(name), null);
      this.#unwritten.delete(name);
    } catch (thrown) {
      this.#failed(name, thrown, text);
    }
  }

  /**
   * The id of this installation. Processes that start concurrently agree on one. `known` is that of a valid token.
   * @param {string | null} known @returns {Promise<string>}
   */
  device(known) {
    this.#making ??= this.#device(known).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  /** The remembered id, or `known`. @param {string | null} known */
  async deviceOf(known) {
    return idOf(await this.get('device')) ?? idOf(await this.get('device-2')) ?? known;
  }

  /** @param {string | null} known */
  async #device(known) {
    const made = known ?? globalThis.crypto.randomUUID();
    for (const name of /** @type {const} */ (['device', 'device-2'])) {
      const before = await this.deviceOf(null);
      if (before !== null) return before;
      try {
        if ((await this.get(name)) !== null) continue;
        if (this.#store.create) await this.#store.create(this.#scoped(name), made);
        else await this.#store.set(this.#scoped(name), made);
      } catch (thrown) {
        this.#failed(name, thrown);
      }
    }
    const id = await this.deviceOf(known);
    // A device id that is not stored would take a slot at each start.
    if (id === null) throw failure('not_remembered', this.fault ?? "The license can't be kept: the store forgets it.");
    return id;
  }

  /** @param {Name} name @param {unknown} thrown @param {string | null} [unwritten] */
  #failed(name, thrown, unwritten) {
    if (unwritten !== undefined && !name.startsWith('device')) this.#unwritten.set(name, unwritten);
    this.fault = `The license can't be kept: ${fields(thrown).message ?? thrown}`;
    note(this.#options, `The store fails at ${name}: ${this.fault}`);
  }

  /** @param {Name} name */
  #scoped(name) {
    return `${this.#former(name)}.${this.#scope}`;
  }

  /** @param {Name} name */
  #former(name) {
    return name === 'answer' || name === 'clock' || name === 'trust' ? `${name}-${this.#options.product_id}` : name;
  }
}
