/** @import { Failure, Options } from './index.d.ts' */

/** @implements {Failure} */
export class ApiError extends Error {
  /** @param {Failure} failure */
  constructor({ status, code, message, retry_after }) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.retry_after = retry_after;
  }
}

/** @typedef {Required<Pick<Options, 'fetch' | 'sleep' | 'timeout'>> & { log?: Options['log'] }} Ways */

/**
 * The deadline of a call: its signal, and its moment by the monotonic clock in milliseconds.
 * @typedef {{ signal: AbortSignal, ends: number }} Call
 */

/** An answer that was read completely. @typedef {{ status: number, headers: Headers, text: string }} Answered */

/**
 * *
 * @param {string} code @param {string} message @param {number | null} [status] @param {number | null} [retry_after]
 */
export const failure = (code, message, status = null, retry_after = null) =>
  new ApiError({ status, code, message, retry_after });

/** @param {unknown} value @returns {Record<string, any>} */
export const fields = (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {});

/** @param {number | null} status */
export const broken = (status) => failure('broken_answer', 'The answer is not one of the account service.', status);

/** @param {Ways} ways @returns {Call} */
export const begin = ({ timeout }) => {
  // A longer timer would fire immediately.
  const ms = Math.min(timeout * 1000, 2 ** 31 - 1);
  return { signal: AbortSignal.timeout(ms), ends: performance.now() + ms };
};

/**
 * The work, or the signal's error if that comes first.
 * @template T @param {T | Promise<T>} work @param {AbortSignal | undefined} signal @returns {Promise<T>}
 */
export const unless = (signal, work) =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', stop));
  });

/**
 * Passes a line to the application's log, and ignores its errors.
 * @param {{ log?: Options['log'] }} options @param {string} line
 */
export const note = ({ log }, line) => {
  try {
    log?.(line);
  } catch {}
};

/** @param {Pick<Response, 'headers'>} response */
const retryAfter = ({ headers }) => {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) : null;
};

const MAX_BYTES = 1 << 20;
const MAX_DEPTH = 100;

/** @param {Response} response @param {AbortSignal} signal */
export const textOf = async (response, signal) => {
  const reader = response.body?.getReader();
  // Engines without streams read the whole body.
  if (!reader) return unless(signal, response.text());
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; ; ) {
    const { done, value } = await unless(signal, reader.read());
    if (done) return text + decoder.decode();
    if ((size += value.length) > MAX_BYTES) {
      await reader.cancel().catch(() => {});
      throw broken(response.status);
    }
    text += decoder.decode(value, { stream: true });
  }
};

/** @param {unknown} value @param {number} [left] @returns {boolean} */
const isDeep = (value, left = MAX_DEPTH) =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((one) => isDeep(one, left - 1)));

/**
 * The object in a JSON text; `broken_answer` for anything else. @param {Answered} answer @returns {Record<string, any>}
 */
export const jsonOf = ({ status, text }) => {
  try {
    const value = JSON.parse(text);
    if (value === fields(value) && !isDeep(value)) return value;
  } catch {}
  throw broken(status);
};

/** The server's own message addresses people who create API keys. */
const KEY_REFUSED = 'This license key is unknown, expired or revoked; paste the whole key, or sign in again.';

/** The error of an answer outside 200 to 299. OAuth has its message in `error_description`. @param {Answered} answer */
export const errorOf = (answer) => {
  const { status } = answer;
  let body = fields(null);
  try {
    body = jsonOf(answer);
  } catch {}
  const name = [body.error, body.code].find((one) => typeof one === 'string') ?? `http_${status}`;
  const texts = name === 'invalid_api_key' ? [KEY_REFUSED] : [body.message, body.error_description];
  const said = texts.find((one) => typeof one === 'string');
  return failure(name, said ?? `The server answered ${status}.`, status, retryAfter(answer));
};

const AGAIN = [429, 502, 503, 504];

/**
 * Sends a request up to three times: again after 429, 502, 503, 504 or no answer, once Retry-After, or one and then two
 * seconds, have passed. Nothing outlasts the call. Throws `unreachable` without an answer.
 * @param {string} url @param {RequestInit} init @param {Ways} ways @param {Call} [call] @returns {Promise<Answered>}
 */
export const send = async (url, init, ways, call = begin(ways)) => {
  const { signal, ends } = call;
  for (let attempt = 1; ; attempt++) {
    /** @type {Answered | undefined} */
    let answer;
    /** @type {unknown} */
    let fault;
    const began = performance.now();
    try {
      const rules = /** @type {const} */ ({ credentials: 'omit', cache: 'no-store', redirect: 'manual' });
      const response = await unless(signal, ways.fetch(url, { ...rules, signal, ...init }));
      const { status, headers, type } = response;
      // A key is only sent to the address that the application configured.
      if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
        await response.body?.cancel();
        throw broken(status || null);
      }
      answer = { status, headers, text: await textOf(response, signal) };
    } catch (thrown) {
      fault = thrown;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(2);
    const status = answer?.status ?? fields(fault).code ?? 'no answer';
    note(ways, `${init.method ?? 'GET'} ${new URL(url).pathname} ${status} in ${seconds} s`);
    if (fault instanceof ApiError) throw fault;
    if (answer && !AGAIN.includes(answer.status)) return answer;
    const wait = (answer && retryAfter(answer)) ?? attempt;
    if (attempt === 3 || performance.now() + wait * 1000 >= ends) {
      if (answer) return answer;
      throw failure('unreachable', `The server can't be reached: ${String(fields(fault).cause ?? fault)}`);
    }
    await unless(signal, ways.sleep(wait * 1000)).catch(() => {});
  }
};

/** Like `send`, but throws the error of an answer outside 200 to 299. @type {typeof send} */
export const demand = async (url, init, ways, call) => {
  const answer = await send(url, init, ways, call);
  if (answer.status >= 300) throw errorOf(answer);
  return answer;
};
