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

/** @typedef {Required<Pick<Options, 'fetch' | 'sleep' | 'timeout' | 'max_wait'>>} Ways */

/**
 * @param {string} code
 * @param {string} message
 * @param {number | null} [status]
 * @param {number | null} [retry_after]
 */
export const failure = (code, message, status = null, retry_after = null) =>
  new ApiError({ status, code, message, retry_after });

/** @param {unknown} value @returns {Record<string, any>} */
export const fields = (value) => (typeof value === 'object' && value !== null ? value : {});

/** @param {number} status */
export const broken = (status) => failure('broken_answer', 'The answer is not one of the account service.', status);

/** @param {Response} response */
const retryAfter = ({ headers }) => {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d+$/.test(seconds) ? Number(seconds) : null;
};

/** The body of an answer; `broken_answer` where it is not JSON. @param {Response} response @returns {Promise<any>} */
export const jsonOf = async (response) => {
  try {
    return await response.json();
  } catch {
    throw broken(response.status);
  }
};

/** The error of an answer outside 200 to 299. OAuth has its sentence in `error_description`. @param {Response} response */
export const errorOf = async (response) => {
  const { status } = response;
  const { error, code, message, error_description } = fields(await response.json().catch(() => null));
  const name = [error, code].find((one) => typeof one === 'string') ?? `http_${status}`;
  const said = message ?? error_description ?? `The server answered ${status}.`;
  return failure(name, String(said), status, retryAfter(response));
};

const AGAIN = [429, 502, 503, 504];

/**
 * Sends a request up to three times: again after 429, 502, 503, 504 and where no answer comes, once Retry-After has
 * passed, or one and two seconds. It waits at most `max_wait` seconds in all. Throws `unreachable` without an answer.
 * @param {string} url
 * @param {RequestInit} init
 * @param {Ways} ways
 */
export const send = async (url, init, { fetch, sleep, timeout, max_wait }) => {
  let left = max_wait;
  for (let attempt = 1; ; attempt++) {
    /** @type {Response | undefined} */
    let response;
    /** @type {unknown} */
    let fault;
    try {
      const limits = { signal: AbortSignal.timeout(timeout * 1000), redirect: /** @type {const} */ ('error') };
      response = await fetch(url, { credentials: 'omit', cache: 'no-store', ...limits, ...init });
      if (!AGAIN.includes(response.status)) return response;
    } catch (error) {
      fault = error;
    }
    const wait = (response && retryAfter(response)) ?? attempt;
    if (attempt === 3 || wait > left) {
      if (response) return response;
      throw failure('unreachable', `The server can't be reached: ${String(fields(fault).cause ?? fault)}`);
    }
    left -= wait;
    await response?.body?.cancel();
    await sleep(wait * 1000);
  }
};
