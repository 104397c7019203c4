import { ApiError, begin, errorOf, failure, note, textOf, unless } from './calls.js';

/** @import { Plan, Sink } from './index.d.ts' */
/** @import { Ways } from './calls.js' */

/** The number of attempts without a further byte after which a download gives up. */
const ATTEMPTS = 4;

/** Stores a download in memory. @returns {Sink & { bytes(): Uint8Array<ArrayBuffer> }} */
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

const HOPS = 5;

/**
 * The answer of a file server. The request has no key.
 * @param {string} url @param {RequestInit} init @param {Ways} ways @returns {Promise<Response>}
 */
const follow = async (url, init, ways) => {
  for (let hop = 0, at = url; ; hop++) {
    const response = await ways.fetch(at, { ...init, redirect: 'manual' });
    note(ways, `GET ${new URL(at).pathname} ${response.status}`);
    // A browser hides redirects, but follows them if asked to.
    if (response.type === 'opaqueredirect') return ways.fetch(at, { ...init, redirect: 'follow' });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null || hop === HOPS) return response;
    at = new URL(next, at).href;
  }
};

/** @template T @param {() => T | Promise<T>} work @returns {Promise<T>} */
const onDisk = async (work) => {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof ApiError ? thrown : failure('not_written', String(thrown));
  }
};

/**
 * Appends the bytes of a file from `at` on.
 * @param {Plan} plan @param {number} at @param {Sink} sink @param {Ways} ways @param {(bytes: number) => unknown}
 * received @param {AbortSignal | undefined} cancel @returns {Promise<void>}
 */
const takePart = async (plan, at, sink, ways, received, cancel) => {
  const stop = new AbortController();
  /** The timeout applies to the next piece, not to the whole. @template T @param {Promise<T>} work */
  const piece = (work) => unless(cancel, unless(begin(ways).signal, work));
  /** @type {RequestInit} */
  const init = { signal: stop.signal, credentials: 'omit', ...(at > 0 && { headers: { range: `bytes=${at}-` } }) };
  try {
    const response = await piece(follow(plan.download_url, init, ways));
    const isPart = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${at}-`);
    if (at > 0 && !isPart && (response.ok || response.status === 416)) {
      await onDisk(() => sink.clear());
      received(-at);
      if (response.status === 416) return takePart(plan, 0, sink, ways, received, cancel);
    }
    if (!response.ok) {
      const text = await piece(textOf(response, stop.signal)).catch(() => '');
      throw errorOf({ status: response.status, headers: response.headers, text });
    }
    const reader = response.body?.getReader();
    for (let size = isPart ? at : 0; reader; ) {
      const { done, value } = await piece(reader.read());
      if (done) return;
      // More bytes than the plan has mean another file, whose checksum would be wrong.
      if ((size += value.length) > plan.size) throw failure('wrong_sum', 'The file is larger than its plan says.');
      await onDisk(() => sink.write(value));
      received(value.length);
    }
  } finally {
    stop.abort();
  }
};

/**
 * Downloads the file of a plan into a sink, and places it once its checksum is right. Resumes an interrupted download;
 * `ask` returns the plan again after its link has expired. Throws `wrong_sum`, and clears the sink, for another file.
 * @template {Sink} S @param {Plan} plan @param {() => Promise<Plan>} ask @param {S | Promise<S>} opened @param {Ways}
 * ways
 * @param {((received: number, total: number) => unknown) | undefined} onProgress @param {AbortSignal | undefined}
 * cancel
 * @returns {Promise<S>}
 */
export const download = async (plan, ask, opened, ways, onProgress, cancel) => {
  const sink = await onDisk(async () => opened);
  try {
    await fill(plan, ask, sink, ways, onProgress, cancel);
    const sum = await onDisk(() => sink.sha256());
    if (sum !== plan.sha256.toLowerCase()) throw failure('wrong_sum', 'The file that came is not the one of the plan.');
    await onDisk(() => sink.place());
    return sink;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'wrong_sum') await onDisk(() => sink.clear());
    throw cancel?.aborted ? failure('cancelled', 'The download was cancelled.') : error;
  } finally {
    await sink.close?.();
  }
};

/** @param {Plan} plan @param {() => Promise<Plan>} ask @param {Sink} sink @param {Ways} ways @param {((received: number, total: number) => unknown) | undefined} onProgress @param {AbortSignal | undefined} cancel */
const fill = async (plan, ask, sink, ways, onProgress, cancel) => {
  let current = plan;
  let size = await onDisk(() => sink.size());
  if (size > plan.size) {
    await onDisk(() => sink.clear());
    size = 0;
  }
  onProgress?.(size, plan.size);
  for (let failed = 0; size < plan.size; ) {
    const before = size;
    try {
      cancel?.throwIfAborted();
      const received = (/** @type {number} */ bytes) => {
        size += bytes;
        onProgress?.(size, plan.size);
      };
      await takePart(current, size, sink, ways, received, cancel);
      if (size < plan.size) throw failure('unreachable', 'The download broke off.');
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : failure('unreachable', `The download stalled: ${thrown}`);
      const { status, code, retry_after } = error;
      failed = size > before ? 1 : failed + 1;
      const isFinal = code === 'wrong_sum' || code === 'not_written' || cancel?.aborted;
      if (isFinal || failed === ATTEMPTS || (retry_after ?? 0) > ways.timeout) throw error;
      await unless(cancel, ways.sleep((retry_after ?? failed) * 1000));
      if (status !== null && status < 429) {
        current = await ask();
        // A newer release came out meanwhile, with other bytes.
        if (current.sha256 !== plan.sha256)
          throw failure('release_changed', 'A newer release came out; install again.');
      }
    }
  }
};
