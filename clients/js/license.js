import { fields } from './calls.js';

/** @import { Code, Device, Options, Policy, PublicKey, Session, State, Status } from './index.d.ts' */

/** @typedef {string | null} Text */

/**
 * A remembered refusal of the server.
 * @typedef {{ code: Code, message: Text, access_expires_at: Text, manage_url: Text, devices: Device[] | null, sessions: Session[] | null }} Refusal
 */

/**
 * The last answer; `continuation` is sent with the next check.
 * @typedef {{ token: Text, refusal: Refusal | null, app_version: Text, continuation: Text }} Answer
 */

/**
 * The latest moment known to have passed, and the local clock at that moment, in seconds since 1970.
 * @typedef {{ time: number, seen: number }} Clock
 */

/** The policy of the shop as a compact JWS, and its keys. @typedef {{ policy: string | null, keys: PublicKey[] }} Trust */

/** @typedef {{ answer: Answer, trust: Trust }} Memory */

/** @typedef {Pick<Options, 'product_id' | 'api'> & Partial<Options>} Asked */

/** The clock skew that is tolerated, in seconds. */
const TOLERANCE = 600;

/** A clock that was more than a year behind and jumps by more than a year was corrected, as after an empty battery. */
const YEAR = 365 * 86_400;

/** The maximum validity of a token with an end: an offline file of a year, and some weeks. */
const LONGEST = 400 * 86_400;

/** The end of the year 9999. */
export const LAST = 253_402_300_799;

/** The hours between two checks if the shop signs no policy. */
const RECHECK_HOURS = 24;

/** @type {ReadonlyMap<unknown, State>} */
const STATES = new Map(
  Object.entries({
    access_expired: 'expired',
    trial_ended: 'expired',
    entitlement_revoked: 'revoked',
    device_revoked: 'revoked',
    device_shared: 'revoked',
    not_entitled: 'unknown',
    device_limit_reached: 'unknown',
    session_limit_reached: 'unknown',
  }),
);

/** The refusals of a license whose slots are all taken (409). */
const LIMITS = ['device_limit_reached', 'session_limit_reached'];

/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value : null);
/** @param {unknown} value */
const list = (value) => (Array.isArray(value) ? value : null);
/** @param {unknown} value @returns {value is number} */
const isMoment = (value) => typeof value === 'number' && value >= 0 && value <= LAST;

/** Seconds since 1970 of an ISO text; 0 for any other. @param {string | null} iso */
export const seconds = (iso) => Math.floor(Date.parse(iso ?? '') / 1000) || 0;
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

/* An unreadable text counts as missing. */

/** @param {unknown} json @returns {Answer} */
export const readAnswer = (json) => {
  const { token, refusal, app_version, continuation } = parsed(json);
  return {
    token: text(token),
    refusal: STATES.has(fields(refusal).code) ? refusal : null,
    app_version: text(app_version),
    continuation: text(continuation),
  };
};
/** @param {unknown} json @returns {Clock | null} */
export const readClock = (json) => {
  const { time, seen } = parsed(json);
  return isMoment(time) && isMoment(seen) ? { time, seen } : null;
};
/** @param {unknown} json @returns {Trust} */
export const readTrust = (json) => {
  const { policy, keys } = parsed(json);
  return { policy: text(policy), keys: usable(keys) };
};

/** The Ed25519 keys in an untrusted list. @param {unknown} keys @returns {PublicKey[]} */
export const usable = (keys) => {
  const isKey = (/** @type {unknown} */ one) => {
    const { kty, crv, x, kid } = fields(one);
    return kty === 'OKP' && crv === 'Ed25519' && /^[\w-]{43}$/.test(text(x) ?? '') && text(kid) !== null;
  };
  return Array.isArray(keys) ? keys.filter(isKey).slice(0, 100) : [];
};

/**
 * The clock after a new reading: each step forward counts, and setting it back has no effect. `passed` is the time by
 * the monotonic clock in seconds, and `signed` the latest moment in a signed text.
 * @param {Clock | null} before @param {number} now @param {number} passed @param {number} signed @returns {Clock}
 */
export const ticked = (before, now, passed, signed) => {
  if (before === null) return { time: Math.max(now, signed), seen: now };
  const moved = now - before.seen;
  const isSetRight = moved > YEAR && before.time - before.seen > YEAR;
  const time = before.time + Math.max(isSetRight ? 0 : moved, passed);
  return { time: Math.min(Math.max(time, signed, moved < 0 || isSetRight ? now : 0), LAST), seen: now };
};

/** The key in a buyer's pasted text; null if there is none. @param {unknown} pasted */
export const keyOf = (pasted) => {
  const whole = String(pasted).replace(/[\s\p{Cf}]/gu, '');
  const key = whole.replace(/^["'`<>«»‹›„‚“”‘’‟‛「」]+|["'`<>«»‹›„‚“”‘’‟‛「」]+$/g, '');
  return /^[A-Za-z0-9._~+/=-]{8,255}$/.test(key) ? key : null;
};

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
    const key = keys.find(({ kid }) => kid === header.kid);
    if (more.length > 0 || header.alg !== 'EdDSA' || header.typ !== typ || header.crit || !key?.x) return null;
    const data = new TextEncoder().encode(`${head}.${body}`);
    return (await verify(bytesOf(signature), data, bytesOf(key.x))) ? jsonOf(body) : null;
  } catch {
    return null;
  }
};

/** @param {unknown} issuer */
const origin = (issuer) => new URL(String(issuer)).href.replace(/\/+$/, '');

/** @param {unknown} iss @param {Asked} asked */
const isIssuer = (iss, { issuer, api }) => {
  try {
    return origin(iss) === origin(issuer ?? api);
  } catch {
    return iss === issuer;
  }
};

/**
 * The claims of a license token of this shop for this product, and for the device, if one is given; null for any other
 * text.
 * @param {string | null} token @param {PublicKey[]} keys @param {Asked} asked
 */
export const claimsOf = async (token, keys, asked) => {
  const claims = (await payloadOf(token, 'license+jws', keys, asked)) ?? {};
  const { valid, product_id, device_id, iat, exp, iss } = claims;
  const isOurs = valid === true && product_id === asked.product_id && isIssuer(iss, asked);
  const isHere = text(device_id) !== null && (asked.device_id ?? device_id) === device_id;
  const isTimed = isMoment(iat) && isMoment(exp) && Number.isInteger(iat) && Number.isInteger(exp);
  return isOurs && isHere && isTimed && (exp - iat <= LONGEST || claims.perpetual === true) ? claims : null;
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

/**
 * True if the policy is not older than a known one; an older one is ignored.
 * @param {Policy | null} before @param {Policy} next
 */
export const isLater = (before, next) =>
  before === null ||
  next.version > before.version ||
  (next.version === before.version && next.signed_at >= before.signed_at);

/**
 * The refusal in the server's answer to a license check; null for a valid license with a token, and undefined for an
 * answer that can't be trusted.
 * @param {number} status @param {unknown} body @param {number} productId @returns {Refusal | null | undefined}
 */
export const refusalOf = (status, body, productId) => {
  const { valid, code, message, product, token, checked_at, access_expires_at, manage_url, devices, sessions } =
    fields(body);
  const none = { access_expires_at: null, manage_url: null, devices: null, sessions: null };
  const said = { code, message: text(message), ...none };
  if (status === 409 && LIMITS.includes(code)) {
    return { ...said, manage_url: text(manage_url), devices: list(devices), sessions: list(sessions) };
  }
  if (status !== 200 || fields(product).id !== productId || seconds(text(checked_at)) === 0) return undefined;
  if (valid === true) return text(token) === null ? undefined : null;
  const isRefusal = valid === false && STATES.has(code) && !LIMITS.includes(code);
  return isRefusal ? { ...said, access_expires_at: text(access_expires_at) } : undefined;
};

/** The identifiers of a version (Semantic Versioning, section 11); null for any other text. @param {string} version */
const versionOf = (version) => {
  const [, numbers, pre] = /^v?(\d+(?:\.\d+)*)(?:-([\w.-]+))?(?:\+.*)?$/.exec(version.trim()) ?? [];
  return numbers === undefined ? null : { release: numbers.split('.'), pre: pre?.split('.') };
};

/**
 * Negative if `a` comes first: numbers by value, before words.
 * @param {string[]} a @param {string[]} b @param {string} missing
 */
const order = (a, b, missing) => {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [p = missing, q = missing] = [a[i], b[i]];
    const [m, n] = [Number(p), Number(q)].map((number) => (Number.isInteger(number) ? number : Infinity));
    const difference = m === n ? Number(p > q) - Number(p < q) : Number(m) - Number(n);
    if (difference !== 0) return difference;
  }
  return 0;
};

/**
 * True if `version` is lower than `least`; false if either is not a version.
 * @param {string} version @param {string} least
 */
export const isLower = (version, least) => {
  const [a, b] = [versionOf(version), versionOf(least)];
  if (!a || !b) return false;
  const difference = order(a.release, b.release, '0');
  if (difference !== 0 || !a.pre || !b.pre) return difference < 0 || (difference === 0 && !!a.pre && !b.pre);
  return order(a.pre, b.pre, '-1') < 0;
};

/** The remembered claims and policy that are valid. @param {Memory} memory @param {Asked} asked */
export const signedOf = async ({ answer, trust }, asked) => {
  const keys = asked.keys ? usable(asked.keys) : trust.keys;
  const claims = answer.refusal ? null : await claimsOf(answer.token, keys, asked);
  return { claims, policy: await policyOf(trust.policy, keys, asked) };
};

/** The latest moment in a signed text. @param {Awaited<ReturnType<typeof signedOf>>} signed */
export const momentOf = ({ claims, policy }) => Math.max(claims?.iat ?? 0, seconds(policy?.signed_at ?? null));

/**
 * Adds `has`. It is not enumerable, because an Electron message that has a function fails.
 * @template {Omit<Status, 'has'>} T @param {T} status @returns {T & Pick<Status, 'has'>}
 */
export const withHas = (status) => {
  const has = (/** @type {string} */ feature) => status.features.includes(feature);
  return Object.defineProperty(/** @type {T & Pick<Status, 'has'>} */ (status), 'has', { value: has });
};

/**
 * The state of a license from what is remembered, by the rules of the documentation's page of states, in their order.
 * @param {Answer} answer @param {Awaited<ReturnType<typeof signedOf>>} signed @param {Clock} clock
 * @param {Asked} asked @returns {Status}
 */
export const judge = ({ refusal, token, app_version }, { claims, policy }, { time, seen: now }, asked) => {
  const isOther = (asked.app_version ?? null) !== app_version;
  const covered = typeof claims?.version_covered === 'boolean' && !isOther ? claims.version_covered : null;
  const recheck = (claims?.iat ?? 0) + (policy?.policy.recheck_hours ?? RECHECK_HOURS) * 3600;
  const isOverdue = time >= recheck && claims?.offline !== true;
  const isTrial = claims?.trial === true;

  /** @returns {{ state: State, code: Code }} */
  const verdict = () => {
    if (refusal) return { state: STATES.get(refusal.code) ?? 'unknown', code: refusal.code };
    if (token === null) return { state: 'unknown', code: 'never_checked' };
    if (!claims) return { state: 'unknown', code: 'token_rejected' };
    const isNamed = policy?.revoked.some(
      (one) => one?.product_id === asked.product_id && one.device_id === asked.device_id,
    );
    // The answer is older than the policy, whose revocations therefore apply.
    if (isNamed && seconds(policy?.signed_at ?? null) >= claims.iat)
      return { state: 'revoked', code: 'device_revoked' };
    const ends = Math.min(seconds(claims.access_expires_at) || Infinity, isTrial ? claims.exp : Infinity);
    if (time >= ends) return { state: 'expired', code: isTrial ? 'trial_ended' : 'access_expired' };
    if (time >= claims.exp) return { state: 'expired', code: now < claims.exp ? 'clock_set_back' : 'offline_too_long' };
    if (covered === false && claims.uncovered_versions === 'refused')
      return { state: 'expired', code: 'version_not_covered' };
    if (isTrial) return { state: 'trial', code: 'valid' };
    if (isOverdue && claims.perpetual !== true) return { state: 'grace', code: 'check_overdue' };
    return { state: 'licensed', code: 'valid' };
  };

  const { state, code } = verdict();
  const may_run = state === 'licensed' || state === 'grace' || state === 'trial';
  const clock_back = time - now > TOLERANCE;
  const isCurrent = state === 'licensed' || state === 'trial';
  const terms = may_run ? fields(claims) : {};
  const isText = (/** @type {unknown} */ one) => typeof one === 'string';
  return withHas({
    state,
    may_run,
    code,
    message: text(refusal?.message),
    runs_until: may_run ? iso(claims?.exp) : null,
    access_expires_at: refusal ? text(refusal.access_expires_at) : text(claims?.access_expires_at),
    updates_supported_until: text(claims?.updates_supported_until),
    version_covered: covered,
    edition: text(terms.edition),
    features: (list(terms.features) ?? []).filter(isText),
    metadata: Object.fromEntries(Object.entries(fields(terms.metadata)).filter(([, value]) => isText(value))),
    days_left: state === 'trial' ? Math.ceil((claims?.exp - time) / 86_400) : null,
    lease_id: text(terms.lease_id),
    check_due: claims?.offline !== true && (!isCurrent || isOverdue || clock_back || isOther),
    clock_back,
    update_required: asked.app_version !== undefined && isLower(asked.app_version, policy?.min_client_version ?? ''),
    manage_url: text(refusal?.manage_url),
    devices: list(refusal?.devices),
    sessions: list(refusal?.sessions),
  });
};
