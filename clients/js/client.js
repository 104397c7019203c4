import { ApiError, begin, broken, demand, errorOf, failure, fields, jsonOf, note, send, unless } from './calls.js';
import { download, memorySink } from './download.js';
import * as license from './license.js';
import { Memory, memoryStore } from './store.js';

/** @import { Call } from './calls.js' */
/** @import { Checked, Choice, Failure, InstallOptions, LeaseOptions, Options, Plan, Policy, SignInOptions, Sink } from './index.d.ts' */
/** @import { Name } from './store.js' */

/** @param {unknown} error @returns {Failure} */
const failureOf = (error) => {
  const { status, code, message, retry_after } =
    error instanceof ApiError ? error : failure('broken_answer', String(error));
  return { status, code, message, retry_after };
};

const CHECK = '/api/license/check';
const TRIAL = '/api/license/trial';
const LEASE = '/api/license/lease';

/** Seconds between two looks at the clocks, so that a lease is renewed soon after the machine slept. */
const LOOK = 10;

/** Seconds between two attempts to get back a lease that has ended, and at most between those to renew one. */
const AFTER_LOSS = 60;
const LONGEST_RETRY = 300;

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** @typedef {license.Trust['keys']} Keys */

/**
 * The server's answer to a check. `isFresh` is true if its token has the nonce of this check.
 * @typedef {{ status: number, keys: Keys, claims: Record<string, any> | null, isFresh: boolean, lease?: Record<string, any> }} Facts
 * @typedef {Facts & Pick<license.Answer, 'refusal' | 'token' | 'continuation'>} Answer
 */

export class Client {
  /** @type {Required<Pick<Options, 'store' | 'now' | 'sleep' | 'fetch' | 'timeout'>> & Options} */
  #options;
  #memory;
  /**
   * The clock that `status` last computed, and the stored text from which it came.
   * @type {{ clock: license.Clock, text: string | null } | undefined}
   */
  #clock;
  #began = performance.now();
  /** The seconds of the monotonic clock that the clock already includes. */
  #counted = 0;
  /** Calls in progress. @type {Map<string, Promise<Checked>>} */
  #asking = new Map();
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  /** The lease that this client took, and the answer to remember. @type {Record<string, any> | undefined} */
  #lease;
  /** True if the lease is renewed in the background. */
  #isKeeping = false;
  /** True until the loss of the lease is reported. */
  #isRunning = false;
  /** @type {any} */
  #timer;
  /** @type {LeaseOptions['on_lost']} */
  #onLost;

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
      .../** @type {Options} */ (given),
      api: options.api.replace(/\/+$/, ''),
    };
    this.#memory = new Memory(this.#options);
  }

  status() {
    return this.#inTurn(async () => {
      const asked = await this.#asked();
      const { answer, signed } = await this.#remembered(asked);
      const clock = await this.#tick(license.momentOf(signed));
      return license.judge(answer, signed, clock, asked);
    });
  }

  /** @returns {Promise<Checked>} */
  check() {
    return this.#once('check', () => this.#askAgain(begin(this.#options)));
  }

  /** @param {string} [pasted] @returns {Promise<Checked>} */
  activate(pasted) {
    const cleaned = pasted === undefined ? undefined : license.keyOf(pasted);
    return this.#once(`activate ${cleaned}`, async () => {
      if (cleaned === null) throw failure('not_a_key', 'This is not a license key; paste the whole key.');
      const call = begin(this.#options);
      const { refusal } = license.readAnswer(await this.#memory.get('answer'));
      // The server has seen two machines with this id.
      if (refusal?.code === 'device_shared') await this.#forgetDevice();
      if (cleaned === undefined) return this.#askAgain(call);
      const { may_run } = await this.status();
      const answer = await this.#ask(call, cleaned);
      if (may_run) this.#demandValid(answer);
      await this.#memory.set('key', JSON.stringify({ key: cleaned }));
      await this.#take(answer);
      await this.#policy(call, cleaned).catch(() => null);
    });
  }

  /** @returns {Promise<Checked>} */
  startTrial() {
    return this.#once('trial', async () => {
      const { may_run, state } = await this.status();
      if (!may_run || state === 'trial') await this.#askTrial(begin(this.#options));
    });
  }

  /** @param {LeaseOptions} [options] @returns {Promise<Checked>} */
  async lease({ borrow_days, on_lost } = {}) {
    this.#onLost = on_lost;
    const status = await this.#once(`lease ${borrow_days}`, async () => {
      const call = begin(this.#options);
      await this.#renew(call, borrow_days);
      await this.#policy(call, await this.#key()).catch(() => null);
    });
    this.#isKeeping = this.#isRunning = status.lease_id !== null;
    this.#goOn(status);
    return status;
  }

  /** @returns {Promise<Checked>} */
  close() {
    this.#stop();
    return this.#once('close', async () => {
      const lease = this.#lease;
      if (!lease || lease.borrowed_until) return;
      // Another process has renewed this lease since, and uses it.
      if (license.readAnswer(await this.#memory.get('answer')).token !== lease.answer.token) return;
      await this.#giveBack(begin({ ...this.#options, timeout: Math.min(this.#options.timeout, 5) }), lease.lease_id);
    });
  }

  async release() {
    const { product_id } = this.#options;
    const call = begin(this.#options);
    const lease_id = this.#lease?.lease_id ?? (await this.status()).lease_id;
    const isSignedIn = license.parsed(await this.#memory.get('key')).signed_in && this.#options.key === undefined;
    let released = false;
    /** @type {string | null} */
    let message = null;
    if (lease_id !== null) {
      this.#stop();
      await this.#last; // A renewal that is in flight would take a slot again.
      released = await this.#giveBack(call, this.#lease?.lease_id ?? lease_id);
      // A borrowed slot stays taken, so its token is kept.
      if (!isSignedIn) return { released, message };
    }
    if (isSignedIn) {
      const response = await this.#call(call, 'POST', '/api/cli/device/logout');
      released ||= Number(response.headers.get('x-released-slots')) > 0;
      await this.#memory.set('key', null);
    } else {
      const body = { device_id: await this.#deviceId() };
      const answer = await this.#json(call, 'POST', `/api/products/${product_id}/license/device/revoke`, body);
      released = typeof answer.released_device_id === 'string';
      message = typeof answer.message === 'string' ? answer.message : null;
    }
    await this.#memory.set('answer', null);
    return { released, message };
  }

  /** @param {SignInOptions} options */
  async signIn({ client_id, device_name, account, on_code, signal }) {
    const { sleep } = this.#options;
    const host = account?.replace(/\/+$/, '') ?? (await this.#accountHost());
    /** @param {string} path @param {Record<string, string>} form */
    const post = async (path, form) =>
      jsonOf(await demand(host + path, { method: 'POST', body: new URLSearchParams(form) }, this.#options));
    const name = device_name ?? this.#options.device_name;
    const started = await post('/oauth/device_authorization', {
      client_id,
      device_id: await this.#deviceId(),
      ...(name && { device_name: name }),
    });
    const { device_code } = started;
    await on_code(/** @type {any} */ (started));
    let interval = Math.max(Number(started.interval ?? 5) || 5, 1);
    for (let left = Math.min(started.expires_in, 3600); left > 0; left -= interval) {
      await unless(signal, sleep(interval * 1000)).catch(() => {});
      if (signal?.aborted) throw failure('cancelled', 'The sign-in was cancelled.');
      try {
        const granted = await post('/oauth/token', { client_id, device_code, grant_type: DEVICE_GRANT });
        const { access_token: key, device_id, key_prefix, replaced_key_prefix = null } = granted;
        if (typeof key !== 'string' || typeof device_id !== 'string') throw broken(200);
        await this.#memory.set('device', device_id);
        await this.#memory.set('key', JSON.stringify({ key, signed_in: true }));
        return { device_id, key_prefix, replaced_key_prefix };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'slow_down') interval += 5;
        // Until the code expires, the buyer may still be typing, and the network may return.
        else if (error.status !== null && error.status < 429 && error.code !== 'authorization_pending') throw error;
      }
    }
    throw failure('expired_token', 'The code has expired; sign in again.', 400);
  }

  async policy() {
    return this.#policy(begin(this.#options), await this.#key());
  }

  /** @param {Choice} [choice] */
  async updates(choice) {
    const { product_id, app_version } = this.#options;
    const query = this.#query(choice, { version: app_version });
    return (await this.#json(begin(this.#options), 'GET', `/api/products/${product_id}/updates${query}`)).update;
  }

  /** @param {InstallOptions} [options] */
  async install({ to, release, on_progress, record = true, signal, ...choice } = {}) {
    const { product_id } = this.#options;
    const query = this.#query(choice, { release: release?.toString() });
    /** @returns {Promise<Plan>} */
    const ask = async () => {
      const path = `/api/products/${product_id}/install${query}`;
      const { data } = await this.#json(begin(this.#options), 'GET', path);
      const { size, sha256, download_url } = fields(data);
      const isPlan = Number.isSafeInteger(size) && /^[0-9a-f]{64}$/i.test(sha256) && URL.canParse(download_url);
      if (!isPlan) throw broken(200);
      return data;
    };
    const plan = await ask();
    const memory = memorySink();
    const target = typeof to === 'function' ? to(plan) : to;
    const open = () => (typeof target === 'string' ? this.fileSink(target, plan, this.#options.timeout) : target);
    const sink = await download(plan, ask, open() ?? memory, this.#options, on_progress, signal);
    // The file is installed; a key without the ability to record it must not fail the call.
    if (record) await this.#recordInstall(plan).catch(() => {});
    return { plan, bytes: sink === memory ? memory.bytes() : null };
  }

  async offlineRequest() {
    const { product_id, app_version } = this.#options;
    const device_id = await this.#deviceId();
    return JSON.stringify({ product_id, device_id, ...(app_version && { app_version }), perpetual: true });
  }

  /** @param {string} file @returns {Promise<Checked>} */
  activateOffline(file) {
    return this.#once(`offline ${file}`, async () => {
      const asked = { ...(await this.#asked()), device_id: await this.#deviceId() };
      // If the file's own keys counted, anybody could sign one.
      const keys = license.usable(asked.keys ?? license.readTrust(await this.#memory.get('trust')).keys);
      if (keys.length === 0)
        throw failure('no_keys', 'Without a network, the application must bring the keys of its shop.');
      const token = String(license.parsed(String(file).replace(/^\ufeff/, '')).token);
      const claims = await license.claimsOf(token, keys, asked);
      if (!claims) throw failure('wrong_file', 'The file is no answer to a request of this device.');
      await this.#take({ status: 200, refusal: null, claims, token, continuation: null, keys, isFresh: false });
      this.#stop(); // The file takes the place of a lease, whose renewal would take a slot again.
    });
  }

  /** @protected @param {string} _path @param {Plan} _plan @param {number} _timeout @returns {Promise<Sink>} */
  async fileSink(_path, _plan, _timeout) {
    throw new TypeError('Without files, `to` is a sink.');
  }

  /** @protected @returns {string | undefined} */
  platform() {
    return undefined;
  }

  /**
   * Shares the work between concurrent calls, runs it after earlier work, and says the status then. Never throws.
   * @param {string} name @param {() => Promise<unknown>} work @returns {Promise<Checked>}
   */
  #once(name, work) {
    const present = this.#asking.get(name);
    if (present) return present;
    const next = this.#last.then(async () => {
      this.#memory.fault = null;
      const error = await work().then(() => null, failureOf);
      const status = await this.status();
      const { fault } = this.#memory;
      const unwritten = fault === null ? null : failureOf(failure('not_remembered', fault));
      return license.withHas({ ...status, error: error && error.code !== 'no_key' ? error : (unwritten ?? error) });
    });
    this.#last = next;
    const asking = next.finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  /**
   * Runs works one after another, so that no `status` overwrites a corrected clock.
   * @template T @param {() => Promise<T>} work @returns {Promise<T>}
   */
  #inTurn(work) {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => {});
    return next;
  }

  /** @param {license.Asked} asked */
  async #remembered(asked) {
    let answer = license.readAnswer(await this.#memory.get('answer'));
    // Another process gave the shared lease back; this one takes a slot again when it renews.
    if (!answer.refusal && answer.token === null && this.#lease) answer = this.#lease.answer;
    const trust = license.readTrust(await this.#memory.get('trust'));
    return { answer, trust, signed: await license.signedOf({ answer, trust }, asked) };
  }

  /** @param {number} signed the latest moment of a signed text */
  async #tick(signed) {
    const now = this.#now();
    const text = await this.#memory.get('clock');
    // If another process wrote the clock, it has already counted the time since.
    const isOurs = this.#clock !== undefined && this.#clock.text === text;
    const before = isOurs ? (this.#clock?.clock ?? null) : license.readClock(text);
    const passed = Math.floor((performance.now() - this.#began) / 1000) - this.#counted;
    this.#counted += passed;
    const clock = license.ticked(before, now, isOurs ? passed : 0, signed);
    const kept = license.readClock(text);
    // Writing at each call would wear the disk; a minute is precise enough for the rules of the clock.
    const isDue = !kept || clock.time - kept.time >= 60 || now < kept.seen;
    if (isDue) await this.#memory.set('clock', JSON.stringify(clock));
    this.#clock = { clock, text: isDue ? JSON.stringify(clock) : text };
    return clock;
  }

  /** @param {Call} call */
  async #askAgain(call) {
    await this.#deviceId(); // A disk that stores nothing is reported before a missing key.
    const { may_run, state, code, lease_id } = await this.status();
    if (this.#lease || lease_id !== null) return this.#renew(call);
    const isTrial = state === 'trial' || code === 'trial_ended';
    const key = isTrial ? await this.#key().catch(() => null) : await this.#key();
    const answer = key === null ? null : await this.#ask(call, key);
    if (key === null || answer === null || (isTrial && answer.refusal?.code === 'not_entitled'))
      return this.#askTrial(call);
    if (isTrial && may_run) this.#demandValid(answer);
    await this.#take(answer, key);
    await this.#policy(call, key).catch(() => null);
  }

  /** @param {Answer} answer */
  #demandValid({ status, refusal }) {
    if (refusal) throw failure(refusal.code, refusal.message ?? refusal.code, status);
  }

  /** Starts the trial of this device, or asks for it again. @param {Call} call */
  async #askTrial(call) {
    const key = await this.#key().catch(() => '');
    await this.#take(await this.#ask(call, null, TRIAL), key);
  }

  /** Takes, renews or borrows a lease. @param {Call} call @param {number} [borrow_days] */
  async #renew(call, borrow_days) {
    await this.#deviceId();
    const key = await this.#key();
    const { state, lease_id: known } = await this.status();
    // A remembered lease that has ended is not renewed: machines that were cloned from one image would share it.
    const lease_id = this.#lease?.lease_id ?? known;
    const answer = await this.#ask(call, key, LEASE, { ...(lease_id !== null && { lease_id }), borrow_days });
    if (state === 'trial') this.#demandValid(answer);
    await this.#take(answer, key);
  }

  /** @param {Call} call @param {string} lease_id */
  async #giveBack(call, lease_id) {
    const body = { product_id: this.#options.product_id, lease_id };
    const { returned } = await this.#json(call, 'POST', `${LEASE}/return`, body);
    this.#lease = undefined;
    if (returned === true) await this.#memory.set('answer', null);
    return returned === true;
  }

  #stop() {
    this.#isKeeping = false;
    clearTimeout(this.#timer);
  }

  /** Goes on after an attempt to renew the lease. @param {Checked} status */
  #goOn({ may_run, runs_until, error }) {
    clearTimeout(this.#timer);
    if (!this.#isKeeping) return;
    const time = this.#clock?.clock.time ?? this.#now();
    const left = license.seconds(runs_until) - time;
    const isFailed = error !== null && error.code !== 'not_remembered';
    if (!may_run && !isFailed) return this.#stop();
    const due = (license.seconds(this.#lease?.renew_after) || time + left / 2) - time;
    const retry = may_run ? Math.min(left / 4, LONGEST_RETRY) : AFTER_LOSS;
    const wait = isFailed ? retry : due;
    // Machines that were started together spread their requests.
    this.#wait(Math.max(wait * (1 - Math.random() / 10), 1));
  }

  /** Renews the lease after some seconds of either clock: the monotonic one may stand still while a machine sleeps. @param {number} seconds */
  #wait(seconds) {
    const [began, seen] = [performance.now(), this.#now()];
    const look = () => {
      const left = seconds - Math.max((performance.now() - began) / 1000, this.#now() - seen);
      this.#timer = setTimeout(left > 0 ? look : () => this.#renewNow(), Math.min(Math.max(left, 0), LOOK) * 1000);
      this.#timer.unref?.(); // The process may end.
    };
    look();
  }

  async #renewNow() {
    const status = await this.#once('renewal', async () => this.#isKeeping && this.#renew(begin(this.#options)));
    const isLost = this.#isKeeping && this.#isRunning && !status.may_run;
    this.#isRunning = status.may_run;
    this.#goOn(status);
    try {
      if (isLost) this.#onLost?.(status);
    } catch (thrown) {
      note(this.#options, `on_lost fails: ${thrown}`);
    }
  }

  /**
   * Asks the server with this key, if one is given, and reads its answer.
   * @param {Call} call @param {string | null} key @param {string} [path] @param {object} [more] @returns {Promise<Answer>}
   */
  async #ask(call, key, path = CHECK, more = {}) {
    const { product_id, app_version, device_name } = this.#options;
    const asked = { ...(await this.#asked()), device_id: await this.#deviceId() };
    const { continuation } = license.readAnswer(await this.#memory.shared('answer'));
    // Earlier clients refuse a token without an end, so the server must know.
    const ofCheck = { perpetual: true, ...(continuation !== null && { continuation }) };
    const nonce = globalThis.crypto.randomUUID().replaceAll('-', '').slice(-22);
    const body = {
      product_id,
      device_id: asked.device_id,
      nonce,
      ...(app_version !== undefined && { app_version }),
      ...(device_name && { device_name: [...device_name].slice(0, 100).join('') }),
      ...(this.platform() && { platform: this.platform() }),
      ...(path === CHECK && ofCheck),
      ...more,
    };
    const response = await this.#request(send, call, 'POST', path, key, body);
    const { status } = response;
    if (status !== 200 && status !== 409) throw errorOf(response);
    const said = jsonOf(response);
    // A floating license has its token by a lease.
    if (path === CHECK && said.valid === true && said.token === null) return this.#ask(call, key, LEASE);
    const refusal = license.refusalOf(status, said, product_id);
    if (refusal === undefined) throw status === 409 ? errorOf(response) : broken(status);
    const next = typeof said.continuation === 'string' ? said.continuation : null;
    const all = { status, refusal, continuation: next };
    const { keys: known } = license.readTrust(await this.#memory.get('trust'));
    if (refusal) return { ...all, claims: null, token: null, keys: known, isFresh: true };
    const [keys, claims] = await this.#verified(call, known, (kept) => license.claimsOf(said.token, kept, asked));
    return { ...all, claims, token: said.token, keys, isFresh: claims.nonce === nonce, lease: fields(said.lease) };
  }

  /**
   * Remembers an answer, unless another process has replaced the key that asked for it.
   * @param {Answer} answer @param {string} [key]
   */
  async #take({ refusal, claims, token, continuation, keys, isFresh, lease }, key) {
    if (key !== undefined && (await this.#key().catch(() => '')) !== key) return;
    await this.#inTurn(async () => {
      const answer = { token, refusal, app_version: this.#options.app_version ?? null, continuation };
      this.#lease = typeof lease?.lease_id === 'string' ? { ...lease, answer } : undefined;
      await this.#memory.set('answer', JSON.stringify(answer));
      await this.#trust({ keys });
      if (claims === null || !isFresh) return;
      // Only this sets a clock back.
      await this.#memory.set('clock', JSON.stringify({ time: claims.iat, seen: this.#now() }));
    });
  }

  /** Remembers keys and a policy if they have changed. @param {Partial<license.Trust>} next */
  async #trust(next) {
    const text = await this.#memory.get('trust');
    const before = license.readTrust(text);
    const keys = this.#options.keys ? before.keys : (next.keys ?? before.keys);
    const after = JSON.stringify({ keys, policy: next.policy ?? before.policy });
    if (after !== text) await this.#memory.set('trust', after);
  }

  /** @param {Call} call @param {string} key @returns {Promise<Policy | null>} */
  async #policy(call, key) {
    const trust = license.readTrust(await this.#memory.get('trust'));
    const { signature } = jsonOf(await this.#request(demand, call, 'GET', '/api/client-config', key));
    if (typeof signature !== 'string') return null;
    const read = (/** @type {Keys} */ known) => license.policyOf(signature, known, this.#options);
    const [keys, next] = await this.#verified(call, trust.keys, read);
    const before = await license.policyOf(trust.policy, keys, this.#options);
    const isLater = license.isLater(before, next);
    await this.#trust({ keys, ...(isLater && { policy: signature }) });
    return isLater ? next : before;
  }

  /**
   * The claims of a signed text, and the keys that verified it: the remembered ones, or the server's if those do not
   * verify it. Pinned keys exclude all others.
   * @template T @param {Call} call @param {Keys} trusted
   * @param {(keys: Keys) => Promise<T | null>} read @returns {Promise<[Keys, T]>}
   */
  async #verified(call, trusted, read) {
    const { keys: pinned, api } = this.#options;
    const known = pinned ? license.usable(pinned) : trusted;
    const first = await read(known);
    if (first) return [known, first];
    if (pinned) throw broken(200);
    const listed = await demand(`${api}/.well-known/jwks.json`, {}, this.#options, call);
    const keys = license.usable(jsonOf(listed).keys);
    const second = await read(keys);
    if (!second) throw broken(200);
    return [keys, second];
  }

  async #accountHost() {
    const { api } = this.#options;
    const answer = await demand(`${api}/.well-known/oauth-protected-resource`, {}, this.#options);
    const [host] = [jsonOf(answer).authorization_servers].flat();
    if (typeof host !== 'string') throw broken(answer.status);
    return host.replace(/\/+$/, '');
  }

  /** @param {Plan} plan */
  #recordInstall({ product_id, version, release_id, sha256 }) {
    const installed_at = new Date(this.#now() * 1000).toISOString();
    const body = { product_id, version, release_id, artifact_sha256: sha256, installed_at };
    const once = { 'idempotency-key': globalThis.crypto.randomUUID() };
    return this.#call(begin(this.#options), 'POST', '/api/device/installs', body, once);
  }

  /** @param {Choice | undefined} choice @param {Record<string, string | undefined>} more */
  #query(choice, more) {
    const all = { platform: this.platform(), ...choice, ...more };
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    return given.length > 0 ? `?${new URLSearchParams(/** @type {[string, string][]} */ (given))}` : '';
  }

  /** @param {typeof send} way @param {Call} call @param {string} method @param {string} path @param {string | null} key @param {object} [body] @param {Record<string, string>} [more] */
  async #request(way, call, method, path, key, body, more) {
    const { api, language } = this.#options;
    const headers = {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(language && { 'accept-language': language }),
      ...(body && { 'content-type': 'application/json' }),
      ...more,
    };
    return way(api + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }, this.#options, call);
  }

  /** @param {Call} call @param {string} method @param {string} path @param {object} [body] @param {Record<string, string>} [more] */
  async #call(call, method, path, body, more) {
    return this.#request(demand, call, method, path, await this.#key(), body, more);
  }

  /** @param {Call} call @param {string} method @param {string} path @param {object} [body] */
  async #json(call, method, path, body) {
    return jsonOf(await this.#call(call, method, path, body));
  }

  /** Seconds since 1970. */
  #now() {
    return Math.min(Math.max(Math.floor(this.#options.now() / 1000) || 0, 0), license.LAST);
  }

  /** The key, checked to be valid in a header. */
  async #key() {
    const key = this.#options.key ?? license.parsed(await this.#memory.get('key')).key;
    if (typeof key !== 'string' || key === '')
      throw failure('no_key', 'This device has no license key; paste it, or sign in.');
    if (license.keyOf(key) !== key) throw failure('not_a_key', 'The key of this device is not one; paste it again.');
    return key;
  }

  /** The device id in a valid token. */
  async #known() {
    const { answer, signed } = await this.#remembered(this.#options);
    return answer.refusal ? null : (signed.claims?.device_id ?? null);
  }

  /** The parameters of a status, which creates no device id. */
  async #asked() {
    const device_id = this.#options.device_id ?? (await this.#memory.deviceOf(await this.#known()));
    return { ...this.#options, device_id: device_id ?? '' };
  }

  async #deviceId() {
    return this.#options.device_id ?? this.#memory.device(await this.#known());
  }

  async #forgetDevice() {
    for (const name of /** @type {Name[]} */ (['device', 'device-2'])) await this.#memory.set(name, null);
  }
}
