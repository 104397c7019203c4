import { ApiError, broken, errorOf, failure, fields, jsonOf, send } from './calls.js';
import { download, memorySink } from './download.js';
import * as license from './license.js';

/** @import { Checked, Failure, InstallOptions, Options, Plan, Policy, SignInOptions, Sink, Store, Wish } from './index.d.ts' */

/** @returns {Store} */
export const memoryStore = () => {
  const texts = new Map();
  return {
    get: (name) => texts.get(name) ?? null,
    set: (name, text) => void (text === null ? texts.delete(name) : texts.set(name, text)),
  };
};

/** @param {unknown} error @returns {Failure} */
const failureOf = (error) => {
  if (!(error instanceof ApiError))
    return { status: null, code: 'not_remembered', message: String(error), retry_after: null };
  const { status, code, message, retry_after } = error;
  return { status, code, message, retry_after };
};

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export class Client {
  /** @type {Required<Pick<Options, 'store' | 'now' | 'sleep' | 'fetch' | 'timeout' | 'max_wait'>> & Options} */
  #options;
  /** @type {Promise<Checked> | undefined} */
  #checking;

  /** @param {Options} options */
  constructor(options) {
    if (!options.api || !Number.isInteger(options.product_id))
      throw new TypeError('A client needs api and product_id.');
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    this.#options = {
      store: memoryStore(),
      now: Date.now,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      fetch: (url, init) => fetch(url, init),
      timeout: 15,
      max_wait: 10,
      .../** @type {Options} */ (given),
      api: options.api.replace(/\/+$/, ''),
    };
  }

  async status() {
    const now = this.#now();
    const [answer, trust, before] = await Promise.all([
      this.#kept('answer').then(license.readAnswer),
      this.#kept('trust').then(license.readTrust),
      this.#kept('clock').then(license.readClock),
    ]);
    const clock = license.ticked(before, now);
    // A write for each question would wear the disk; a minute is finer than the clock is judged.
    if (before.last === null || Math.abs(now - before.last) >= 60) await this.#keep('clock', clock).catch(() => {});
    const device_id = await this.#deviceId().catch(() => '');
    return license.judge({ answer, trust, clock }, { ...this.#options, device_id }, now);
  }

  /** @returns {Promise<Checked>} */
  check() {
    this.#checking ??= this.#askServer()
      .then(() => null, failureOf)
      .then(async (error) => ({ ...(await this.status()), error }))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  /** @param {string} [key] @returns {Promise<Checked>} */
  async activate(key) {
    if (key === undefined) return this.check();
    const { store } = this.#options;
    const before = (await this.#read('key')) ?? null;
    try {
      await store.set('key', JSON.stringify({ key: key.trim() }));
    } catch (thrown) {
      return { ...(await this.status()), error: failureOf(thrown) };
    }
    const checked = await this.check();
    if (checked.error?.status === 401) await store.set('key', before);
    return checked;
  }

  async release() {
    const { product_id, store } = this.#options;
    let released = false;
    /** @type {string | null} */
    let message = null;
    if ((await this.#signedIn()).signed_in) {
      const response = await this.#call('POST', '/api/cli/device/logout');
      released = Number(response.headers.get('x-released-slots')) > 0;
      await store.set('key', null);
    } else {
      const body = { device_id: await this.#deviceId() };
      const answer = await this.#json('POST', `/api/products/${product_id}/license/device/revoke`, body);
      released = typeof answer.released_device_id === 'string';
      message = answer.message ?? null;
    }
    await this.#keep('answer', null);
    return { released, message };
  }

  /** @param {SignInOptions} options */
  async signIn({ client_id, device_name, account, on_code, signal }) {
    const { sleep, store } = this.#options;
    const host = account?.replace(/\/+$/, '') ?? (await this.#accountHost());
    /** @param {string} path @param {Record<string, string>} form */
    const post = async (path, form) =>
      jsonOf(await this.#send(host + path, { method: 'POST', body: new URLSearchParams(form) }));
    const device = { device_id: await this.#deviceId(), ...(device_name && { device_name }) };
    const started = await post('/oauth/device_authorization', { client_id, ...device });
    const { device_code } = started;
    await on_code(started);
    let { interval = 5, expires_in } = started;
    for (; expires_in > 0; expires_in -= interval) {
      await sleep(interval * 1000);
      signal?.throwIfAborted();
      try {
        const granted = await post('/oauth/token', { client_id, device_code, grant_type: DEVICE_GRANT });
        const { access_token: key, device_id, key_prefix, replaced_key_prefix = null } = granted;
        await store.set('device', device_id);
        await store.set('key', JSON.stringify({ key, signed_in: true }));
        return { device_id, key_prefix, replaced_key_prefix };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'slow_down') interval += 5;
        // The buyer may still be typing, and the network may come back, until the code ends.
        else if (error.status !== null && error.status < 429 && error.code !== 'authorization_pending') throw error;
      }
    }
    throw failure('expired_token', 'The code has expired; sign in again.', 400);
  }

  /** @returns {Promise<Policy | null>} */
  async policy() {
    const trust = license.readTrust(await this.#kept('trust'));
    const { signature } = await this.#json('GET', '/api/client-config');
    if (typeof signature !== 'string') return null;
    const [keys, next] = await this.#verified(trust, signature, license.policyOf);
    const before = await license.policyOf(trust.policy, keys, this.#options);
    const isLater = license.isLater(before, next);
    await this.#keep('trust', { keys, policy: isLater ? signature : trust.policy });
    return isLater ? next : before;
  }

  /** @param {Wish} [wish] */
  async updates(wish) {
    const { product_id, app_version } = this.#options;
    const query = this.#query(wish, { version: app_version });
    return (await this.#json('GET', `/api/products/${product_id}/updates${query}`)).update;
  }

  /** @param {InstallOptions} [options] */
  async install({ to, release, on_progress, record = true, ...wish } = {}) {
    const { product_id } = this.#options;
    const query = this.#query(wish, { release: release?.toString() });
    /** @returns {Promise<Plan>} */
    const ask = async () => (await this.#json('GET', `/api/products/${product_id}/install${query}`)).data;
    const plan = await ask();
    const memory = memorySink();
    const target = typeof to === 'function' ? to(plan) : to;
    const sink =
      target === undefined ? memory : typeof target === 'string' ? await this.fileSink(target, plan) : target;
    await download(plan, ask, sink, this.#options, on_progress);
    // The file is in place; a key that may not record it is no reason to fail.
    if (record) await this.#recordInstall(plan).catch(() => {});
    return { plan, bytes: sink === memory ? memory.bytes() : null };
  }

  async offlineRequest() {
    const { product_id, app_version } = this.#options;
    return JSON.stringify({ product_id, device_id: await this.#deviceId(), ...(app_version && { app_version }) });
  }

  /** @param {string} file @returns {Promise<Checked>} */
  async activateOffline(file) {
    /** @type {Failure | null} */
    let error = null;
    try {
      const { token, checked_at } = license.parsed(file);
      // Keys that came with the file would let anybody sign one.
      const known = this.#options.keys ?? license.readTrust(await this.#kept('trust')).keys;
      if (known.length === 0)
        throw failure('no_keys', 'Without a network, the application must bring the keys of its shop.');
      if (!(await license.claimsOf(token, known, await this.#asked()))) {
        throw failure('wrong_file', 'The file is no answer to a request of this device.');
      }
      await this.#remember({ token, checked_at });
    } catch (thrown) {
      error = failureOf(thrown);
    }
    return { ...(await this.status()), error };
  }

  /** @protected @param {string} _path @param {Plan} _plan @returns {Promise<Sink>} */
  async fileSink(_path, _plan) {
    throw new TypeError('Without files, `to` is a sink.');
  }

  /** @protected @returns {string | undefined} */
  platform() {
    return undefined;
  }

  async #askServer() {
    const { product_id, app_version } = this.#options;
    const asked = await this.#asked();
    const body = { product_id, device_id: asked.device_id, ...(app_version !== undefined && { app_version }) };
    const response = await this.#request('POST', '/api/license/check', body);
    const { status } = response;
    if (status !== 200 && status !== 409) throw await errorOf(response);
    const answer = fields(await jsonOf(response));
    const refusal = license.refusalOf(status, answer, product_id);
    if (refusal === undefined) throw broken(status);
    if (refusal === null) {
      const trust = license.readTrust(await this.#kept('trust'));
      const [keys] = await this.#verified(trust, answer.token, (token, known) => license.claimsOf(token, known, asked));
      await this.#keep('trust', { ...trust, keys });
    }
    await this.#remember({ refusal, token: refusal ? null : answer.token, checked_at: answer.checked_at });
    await this.policy().catch(() => null);
  }

  /** @param {Partial<license.Answer>} next */
  async #remember(next) {
    const now = this.#now();
    const before = license.readAnswer(await this.#kept('answer'));
    await this.#keep('answer', license.answered(before, next, this.#options.app_version, now));
    await this.#keep('clock', { last: now, backs: 0 });
  }

  /**
   * What a signed text says, and the keys by which it does: those that are remembered, or the server's where they don't
   * do. Pinned keys stand alone.
   * @template T
   * @param {license.Trust} trust
   * @param {string} jws
   * @param {(jws: string, keys: license.Trust['keys'], asked: Options) => Promise<T | null>} read
   * @returns {Promise<[license.Trust['keys'], T]>}
   */
  async #verified(trust, jws, read) {
    const known = this.#options.keys ?? trust.keys;
    const first = await read(jws, known, this.#options);
    if (first) return [known, first];
    const { keys } = this.#options.keys ? { keys: [] } : await this.#json('GET', '/.well-known/jwks.json');
    const second = Array.isArray(keys) ? await read(jws, keys, this.#options) : null;
    if (!second) throw broken(200);
    return [keys, second];
  }

  async #accountHost() {
    const { authorization_servers } = await this.#json('GET', '/.well-known/oauth-protected-resource');
    return String(authorization_servers[0]).replace(/\/+$/, '');
  }

  /** @param {Plan} plan */
  #recordInstall({ product_id, version, release_id, sha256 }) {
    const { now } = this.#options;
    const body = {
      product_id,
      version,
      release_id,
      artifact_sha256: sha256,
      installed_at: new Date(now()).toISOString(),
    };
    return this.#call('POST', '/api/device/installs', body, { 'idempotency-key': globalThis.crypto.randomUUID() });
  }

  /** @param {Wish | undefined} wish @param {Record<string, string | undefined>} more */
  #query(wish, more) {
    const all = { platform: this.platform(), ...wish, ...more };
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    return given.length > 0 ? `?${new URLSearchParams(/** @type {[string, string][]} */ (given))}` : '';
  }

  /** @param {string} method @param {string} path @param {object} [body] @param {Record<string, string>} [more] */
  async #request(method, path, body, more) {
    const { api, language } = this.#options;
    const isPublic = path.startsWith('/.well-known/');
    const { key } = await this.#signedIn();
    if (!key && !isPublic)
      throw failure('no_key', 'This device has no key; sign in, or activate it with a license key.');
    const headers = {
      ...(!isPublic && { authorization: `Bearer ${key}` }),
      ...(language && { 'accept-language': language }),
      ...(body && { 'content-type': 'application/json' }),
      ...more,
    };
    return send(api + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }, this.#options);
  }

  /** @param {string} url @param {RequestInit} init */
  async #send(url, init) {
    const response = await send(url, init, this.#options);
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  /** @param {string} method @param {string} path @param {object} [body] @param {Record<string, string>} [more] */
  async #call(method, path, body, more) {
    const response = await this.#request(method, path, body, more);
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  async #json(method, path, body) {
    return fields(await jsonOf(await this.#call(method, path, body)));
  }

  /** Seconds since 1970. */
  #now() {
    return Math.floor(this.#options.now() / 1000);
  }

  async #asked() {
    return { ...this.#options, device_id: await this.#deviceId() };
  }

  async #signedIn() {
    if (this.#options.key !== undefined) return { key: this.#options.key };
    const { key, signed_in } = license.parsed(await this.#read('key'));
    return { key, signed_in };
  }

  async #deviceId() {
    if (this.#options.device_id !== undefined) return this.#options.device_id;
    // A store that can't be read throws: another id would take another slot.
    const kept = await this.#options.store.get('device');
    if (kept) return kept;
    const made = globalThis.crypto.randomUUID();
    await this.#options.store.set('device', made);
    return made;
  }

  /** A text of the store; null where the store can't be read. @param {string} name */
  async #read(name) {
    try {
      return (await this.#options.store.get(name)) ?? null;
    } catch {
      return null;
    }
  }

  /** @param {'answer' | 'clock' | 'trust'} name */
  #kept(name) {
    return this.#read(`${name}-${this.#options.product_id}`);
  }

  /** @param {'answer' | 'clock' | 'trust'} name @param {object | null} value */
  async #keep(name, value) {
    await this.#options.store.set(`${name}-${this.#options.product_id}`, value && JSON.stringify(value));
  }
}
