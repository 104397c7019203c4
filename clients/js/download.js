import { ApiError, errorOf, failure } from './calls.js';

/** @import { Plan, Sink } from './index.d.ts' */
/** @import { Ways } from './calls.js' */

/** A download that broke off goes on this often without a further byte, before it gives up. */
const ATTEMPTS = 4;

/** Keeps a download in memory. @returns {Sink & { bytes(): Uint8Array<ArrayBuffer> }} */
export const memorySink = () => {
  /** @type {Uint8Array[]} */
  let parts = [];
  const size = () => parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = () => {
    const all = new Uint8Array(size());
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  };
  return {
    size,
    bytes,
    write: (part) => void parts.push(part),
    clear: () => void (parts = []),
    sha256: async () => {
      const sum = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes()));
      return Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    place: () => {},
  };
};

/** @template T @param {Promise<T>} work @param {number} seconds @returns {Promise<T>} */
const within = (work, seconds) => {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(failure('unreachable', 'The download stalled.')), seconds * 1000);
  });
  return Promise.race([work, /** @type {Promise<never>} */ (late)]).finally(() => clearTimeout(timer));
};

/** Appends what comes of a file from `at` on. @param {Plan} plan @param {number} at @param {Sink} sink @param {Ways} ways @param {(bytes: number) => unknown} received */
const takePart = async (plan, at, sink, { fetch, timeout }, received) => {
  // The link is signed: it gets no key.
  const stop = new AbortController();
  const init = {
    signal: stop.signal,
    credentials: /** @type {const} */ ('omit'),
    ...(at > 0 && { headers: { range: `bytes=${at}-` } }),
  };
  const response = await within(fetch(plan.download_url, init), timeout);
  if (!response.ok) throw await errorOf(response);
  const isPart = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${at}-`);
  if (at > 0 && !isPart) {
    await sink.clear();
    received(-at);
  }
  const reader = response.body?.getReader();
  try {
    for (let size = isPart ? at : 0; reader; ) {
      const { done, value } = await within(reader.read(), timeout);
      if (done) return;
      // More than the plan says is another file, and its sum would be wrong.
      if ((size += value.length) > plan.size) throw failure('wrong_sum', 'The file is larger than its plan says.');
      await sink.write(value);
      received(value.length);
    }
  } finally {
    stop.abort();
  }
};

/**
 * Downloads the file of a plan into the sink, and places it once its sum is right. Goes on where an earlier download
 * broke off; `ask` gives the plan again when its link has ended. Throws `wrong_sum`, and clears the sink, for another file.
 * @param {Plan} plan @param {() => Promise<Plan>} ask @param {Sink} sink @param {Ways} ways @param {((received: number, total: number) => unknown) | undefined} onProgress
 */
export const download = async (plan, ask, sink, ways, onProgress) => {
  let current = plan;
  let size = await sink.size();
  if (size > plan.size) {
    await sink.clear();
    size = 0;
  }
  onProgress?.(size, plan.size);
  for (let failed = 0; size < plan.size; ) {
    const before = size;
    try {
      await takePart(current, size, sink, ways, (bytes) => {
        size += bytes;
        onProgress?.(size, plan.size);
      });
      if (size < plan.size) throw failure('unreachable', 'The download broke off.');
    } catch (error) {
      const { status, code, retry_after } = error instanceof ApiError ? error : failure('unreachable', String(error));
      failed = size > before ? 1 : failed + 1;
      if (code === 'wrong_sum') {
        await sink.clear();
        throw error;
      }
      if (failed === ATTEMPTS || (retry_after ?? 0) > ways.max_wait) throw error;
      await ways.sleep((retry_after ?? failed) * 1000);
      if (status !== null && status < 429) {
        current = await ask();
        // A newer release came out in between: its bytes are others.
        if (current.sha256 !== plan.sha256)
          throw failure('release_changed', 'A newer release came out; install again.');
      }
    }
  }
  if ((await sink.sha256()) !== plan.sha256.toLowerCase()) {
    await sink.clear();
    throw failure('wrong_sum', 'The file that came is not the one of the plan.');
  }
  await sink.place();
};
