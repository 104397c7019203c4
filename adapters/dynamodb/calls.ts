import { setTimeout as pause } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../store/table.ts';
import { type Fault, faultOf } from './faults.ts';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 400;

export type CallLimits = {
  /** The timeout of one attempt, in milliseconds. */
  readonly attemptMs: number;
  /** The time for all attempts and the pauses between them, in milliseconds. */
  readonly totalMs: number;
  readonly attempts: number;
};

/**
 * The limits leave time for a second attempt after an unanswered one, and two successive calls still end within 6 s.
 */
export const DEFAULT_LIMITS: CallLimits = { attemptMs: 1400, totalMs: 2900, attempts: 8 };

/** One attempt. It sends its commands with these options, whose signal aborts them on timeout. */
export type Attempt<T> = (options: { readonly abortSignal: AbortSignal }) => Promise<T>;

export type CallOptions = {
  /** True for a call that must not happen twice. An attempt whose result is unknown is not repeated. */
  readonly once?: boolean;
  /** The number of attempts while the store is busy, for a caller that would rather fail than wait. */
  readonly hurried?: number | undefined;
};

/**
 * Retries calls on a table after transient faults, with random pauses ("full jitter"), within limits of attempts and
 * time. A fault that persists throws StoreUnavailable, whose one-line message names the table, or StoreBusy if the
 * store throttles the call or others write the same items. Any other error is rethrown unchanged.
 */
export class Calls {
  readonly #tableName: string;
  readonly #limits: CallLimits;

  constructor(tableName: string, limits: CallLimits) {
    this.#tableName = tableName;
    this.#limits = limits;
  }

  async run<T>(attempt: Attempt<T>, { once = false, hurried }: CallOptions = {}): Promise<T> {
    const { attemptMs, totalMs, attempts } = this.#limits;
    const end = Date.now() + totalMs;
    for (let n = 1; ; n++) {
      try {
        return await withinTime(attempt, Math.min(attemptMs, Math.max(1, end - Date.now())));
      } catch (error) {
        const fault = faultOf(error);
        if (!fault) throw error;
        const wait = Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** n);
        const most = (fault.isBusy && hurried) || attempts;
        if (!mayRepeat(fault, once) || n >= most || Date.now() + wait >= end) throw this.#unavailable(fault, error);
        await pause(wait);
      }
    }
  }

  #unavailable({ reason, isBusy }: Fault, cause: unknown): StoreUnavailable {
    const Kind = isBusy ? StoreBusy : StoreUnavailable;
    return new Kind(`The table ${this.#tableName} is unavailable: ${reason}.`, { cause });
  }
}

const mayRepeat = ({ fate }: Fault, once: boolean): boolean => fate === 'undone' || (fate === 'unknown' && !once);

/**
 * Rejects with a TimeoutError when time is up, even if an attempt ignores its signal, as the search for credentials
 * does.
 */
const withinTime = async <T>(attempt: Attempt<T>, ms: number): Promise<T> => {
  const controller = new AbortController();
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DOMException(`There was no answer in ${ms} ms.`, 'TimeoutError');
    timeout.reject(error);
    controller.abort(error);
  }, ms);
  try {
    return await Promise.race([attempt({ abortSignal: controller.signal }), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
};
