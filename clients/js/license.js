import { fields } from './calls.js';

/** @import { Code, Device, Options, Policy, PublicKey, State, Status } from './index.d.ts' */

/**
 * A refusal of the server, as it is remembered.
 * @typedef {object} Refusal
 * @property {Code} code
 * @property {string | null} message
 * @property {string | null} access_expires_at
 * @property {string | null} manage_url
 * @property {Device[] | null} devices
 */

/**
 * The last answer of the server. `checked_at` is the server's time; `ahead` is by how many seconds the clock here was
 * ahead of it.
 * @typedef {object} Answer
 * @property {string | null} token
 * @property {Refusal | null} refusal
 * @property {string | null} checked_at
 * @property {string | null} app_version
 * @property {number} ahead
 */

/**
 * The clock as `status` read it last, in seconds since 1970, and how often it was set back since the last answer.
 * @typedef {{ last: number | null, backs: number }} Clock
 */

/** The policy of the shop as a compact JWS, and its keys. @typedef {{ policy: string | null, keys: PublicKey[] }} Trust */

/** @typedef {{ answer: Answer, clock: Clock, trust: Trust }} Memory */

/** @typedef {Pick<Options, 'product_id' | 'app_version' | 'keys' | 'verify'>} Asked */

/** Seconds by which clocks may differ before anything is said. */
const TOLERANCE = 600;

/** The hours between two checks where the shop signs no policy. */
const RECHECK_HOURS = 24;

/** @type {Readonly<Record<string, State>>} */
const STATES = {
  access_expired: 'expired',
  entitlement_revoked: 'revoked',
  device_revoked: 'revoked',
  not_entitled: 'unknown',
  device_limit_reached: 'unknown',
};

/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value : null);
/** @param {unknown} value */
const count = (value) => (typeof value === 'number' && value >= 0 ? value : 0);

/** Seconds since 1970 of an ISO text; 0 where there is none. @param {string | null} iso */
const seconds = (iso) => Math.floor(Date.parse(iso ?? '') / 1000) || 0;
/** @param {number} at */
const iso = (at) => new Date(at * 1000).toISOString();

/** @param {unknown} json @returns {Record<string, any>} */
export const parsed = (json) => {
  try {
    return fields(JSON.parse(String(json ?? null)));
  } catch {
    return {};
  }
};

/* A text that nobody can read is as if nothing were remembered. */

/** @param {unknown} json @returns {Answer} */
export const readAnswer = (json) => {
  const { token, refusal, checked_at, app_version, ahead } = parsed(json);
  return {
    token: text(token),
    refusal: STATES[refusal?.code] ? refusal : null,
    checked_at: text(checked_at),
    app_version: text(app_version),
    ahead: count(ahead),
  };
};
/** @param {unknown} json @returns {Clock} */
export const readClock = (json) => {
  const { last, backs } = parsed(json);
  return { last: typeof last === 'number' ? last : null, backs: count(backs) };
};
/** @param {unknown} json @returns {Trust} */
export const readTrust = (json) => {
  const { policy, keys } = parsed(json);
  return { policy: text(policy), keys: Array.isArray(keys) ? keys : [] };
};

/** The clock after it was read anew. @param {Clock} clock @param {number} now seconds @returns {Clock} */
export const ticked = ({ last, backs }, now) => ({
  last: now,
  backs: last !== null && now < last - TOLERANCE ? backs + 1 : backs,
});

/** @param {string} part */
const bytesOf = (part) => {
  if (!/^[\w-]+$/.test(part)) throw new SyntaxError('This is not base64url.');
  return Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
};
/** @param {string} part */
const jsonOf = (part) => fields(JSON.parse(new TextDecoder().decode(bytesOf(part))));

/** @param {Uint8Array<ArrayBuffer>} signature @param {Uint8Array<ArrayBuffer>} data @param {Uint8Array<ArrayBuffer>} key */
const verifyHere = async (signature, data, key) => {
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  return subtle.verify('Ed25519', imported, signature, data);
};

/**
 * The payload of a compact JWS of this `typ` that one of the keys signed with Ed25519; null for any other text.
 * @param {string | null} jws @param {string} typ @param {PublicKey[]} keys @param {Asked} asked
 */
const payloadOf = async (jws, typ, keys, { verify = verifyHere }) => {
  try {
    const [head = '', body = '', signature = '', ...more] = (jws ?? '').split('.');
    const header = jsonOf(head);
    const key = keys.find(({ kid, kty, crv }) => kid === header.kid && kty === 'OKP' && crv === 'Ed25519');
    if (more.length > 0 || header.alg !== 'EdDSA' || header.typ !== typ || header.crit || !key?.x) return null;
    const data = new TextEncoder().encode(`${head}.${body}`);
    return (await verify(bytesOf(signature), data, bytesOf(key.x))) ? jsonOf(body) : null;
  } catch {
    return null;
  }
};

/**
 * The claims of a license token for this product and device; null for any other text.
 * @param {string | null} token @param {PublicKey[]} keys @param {Asked & { device_id: string }} asked
 */
export const claimsOf = async (token, keys, asked) => {
  const claims = await payloadOf(token, 'license+jws', keys, asked);
  const { valid, product_id, device_id, iat, exp } = claims ?? {};
  const isOurs = valid === true && product_id === asked.product_id && device_id === asked.device_id;
  return claims && isOurs && Number.isFinite(iat) && Number.isFinite(exp) ? claims : null;
};

/** @param {string | null} jws @param {PublicKey[]} keys @param {Asked} asked @returns {Promise<Policy | null>} */
export const policyOf = async (jws, keys, asked) => {
  const payload = await payloadOf(jws, 'client-policy+jws', keys, asked);
  const { version, min_client_version, revoked, signed_at, policy } = payload ?? {};
  const { ttl_days, recheck_hours } = fields(policy);
  const isWhole = Number.isFinite(version) && text(min_client_version) !== null && Array.isArray(revoked);
  const hasTimes = Number.isFinite(ttl_days) && Number.isFinite(recheck_hours) && text(signed_at) !== null;
  return isWhole && hasTimes ? /** @type {Policy} */ (payload) : null;
};

/** The later one of two policies. A lower version than one that was seen counts for nothing. @param {Policy | null} before @param {Policy} next */
export const isLater = (before, next) =>
  before === null ||
  next.version > before.version ||
  (next.version === before.version && next.signed_at >= before.signed_at);

/**
 * What the server's answer to a license check says: a refusal, or null for a valid license with a token. Undefined for
 * an answer that nobody can trust to be one.
 * @param {number} status @param {unknown} body @param {number} productId @returns {Refusal | null | undefined}
 */
export const refusalOf = (status, body, productId) => {
  const { valid, code, message, product, token, checked_at, access_expires_at, manage_url, devices } = fields(body);
  const said = { code, message: text(message), access_expires_at: null, manage_url: null, devices: null };
  if (status === 409 && code === 'device_limit_reached') {
    return { ...said, manage_url: text(manage_url), devices: Array.isArray(devices) ? devices : null };
  }
  if (status !== 200 || product?.id !== productId || seconds(text(checked_at)) === 0) return undefined;
  if (valid === true) return text(token) === null ? undefined : null;
  const isRefusal = valid === false && STATES[code] !== undefined && code !== 'device_limit_reached';
  return isRefusal ? { ...said, access_expires_at: text(access_expires_at) } : undefined;
};

/**
 * The answer to remember. One without a time of its own (409) keeps the one before.
 * @param {Answer} before @param {Partial<Answer>} next @param {string | undefined} appVersion @param {number} now seconds
 * @returns {Answer}
 */
export const answered = (before, { token = null, refusal = null, checked_at }, appVersion, now) => {
  const server = seconds(checked_at ?? null);
  const ahead = server > 0 ? now - server : before.ahead;
  return {
    token,
    refusal,
    checked_at: checked_at ?? before.checked_at,
    app_version: appVersion ?? null,
    ahead: ahead > TOLERANCE ? ahead : 0,
  };
};

/** The identifiers of a version (Semantic Versioning, section 11); null for a text that is none. @param {string} version */
const versionOf = (version) => {
  const [, numbers, pre] = /^v?(\d+(?:\.\d+)*)(?:-([\w.-]+))?(?:\+.*)?$/.exec(version.trim()) ?? [];
  return numbers === undefined ? null : { release: numbers.split('.'), pre: pre?.split('.') };
};

/** Below zero where `a` comes first: numbers by value, before words. @param {string[]} a @param {string[]} b @param {string} missing */
const order = (a, b, missing) => {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [p = missing, q = missing] = [a[i], b[i]];
    const [m, n] = [Number(p), Number(q)].map((number) => (Number.isInteger(number) ? number : Infinity));
    const difference = m === n ? Number(p > q) - Number(p < q) : Number(m) - Number(n);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** True where `version` is lower than `least`; false where one of them is no version. @param {string} version @param {string} least */
export const isLower = (version, least) => {
  const [a, b] = [versionOf(version), versionOf(least)];
  if (!a || !b) return false;
  const difference = order(a.release, b.release, '0');
  if (difference !== 0 || !a.pre || !b.pre) return difference < 0 || (difference === 0 && !!a.pre && !b.pre);
  return order(a.pre, b.pre, '-1') < 0;
};

/**
 * The state of a license from what is remembered, by the rules of the page of states, in its order.
 * @param {Memory} memory @param {Asked & { device_id: string }} asked @param {number} now seconds @returns {Promise<Status>}
 */
export const judge = async ({ answer, clock, trust }, asked, now) => {
  const keys = asked.keys ?? trust.keys;
  const policy = await policyOf(trust.policy, keys, asked);
  const { refusal, token, app_version } = answer;
  const claims = refusal ? null : await claimsOf(token, keys, asked);
  const checked = Math.max(seconds(answer.checked_at), claims?.iat ?? 0);
  // The clock was ahead at the last answer, and is again unless it was set right since.
  const time = Math.max(clock.backs > 0 ? now : now - answer.ahead, checked);
  const recheck = checked + (policy?.policy.recheck_hours ?? RECHECK_HOURS) * 3600;

  /** @returns {{ state: State, code: Code }} */
  const verdict = () => {
    if (refusal) return { state: /** @type {State} */ (STATES[refusal.code]), code: refusal.code };
    if (token === null) return { state: 'unknown', code: 'never_checked' };
    if (!claims) return { state: 'unknown', code: 'token_rejected' };
    const isNamed = policy?.revoked.some(
      (one) => one?.product_id === asked.product_id && one.device_id === asked.device_id,
    );
    // An answer of after the policy knew of its revocations.
    if (isNamed && seconds(policy?.signed_at ?? null) >= checked) return { state: 'revoked', code: 'device_revoked' };
    if (time >= (seconds(claims.access_expires_at) || Infinity)) return { state: 'expired', code: 'access_expired' };
    if (time >= claims.exp) return { state: 'expired', code: 'offline_too_long' };
    if (clock.backs > (claims.exp - claims.iat) / 86_400) return { state: 'expired', code: 'clock_set_back' };
    if (time >= recheck && claims.offline !== true) return { state: 'grace', code: 'check_overdue' };
    return { state: 'licensed', code: 'valid' };
  };

  const { state, code } = verdict();
  const may_run = state === 'licensed' || state === 'grace';
  const clock_back = clock.backs > 0 || now < checked - TOLERANCE;
  const isOther = (asked.app_version ?? null) !== app_version;
  return {
    state,
    may_run,
    code,
    message: refusal?.message ?? null,
    runs_until: may_run ? iso(claims?.exp) : null,
    access_expires_at: refusal ? text(refusal.access_expires_at) : text(claims?.access_expires_at),
    updates_supported_until: text(claims?.updates_supported_until),
    version_covered: typeof claims?.version_covered === 'boolean' && !isOther ? claims.version_covered : null,
    check_due: claims?.offline !== true && (state !== 'licensed' || clock_back || isOther),
    clock_back,
    update_required: asked.app_version !== undefined && isLower(asked.app_version, policy?.min_client_version ?? ''),
    manage_url: refusal?.manage_url ?? null,
    devices: refusal?.devices ?? null,
  };
};
