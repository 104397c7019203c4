import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../store/table.ts';
import { type Fault, faultOf } from './faults.ts';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 400;

export type CallLimits = {
  /** Milliseconds until an attempt counts as not answered. */
  readonly attemptMs: number;
  /** Milliseconds for all attempts and the pauses between them. */
  readonly totalMs: number;
  readonly attempts: number;
};

/** An unanswered attempt leaves time for another, and a request that needs two calls is still answered in 6 s. */
export const DEFAULT_LIMITS: CallLimits = { attemptMs: 1400, totalMs: 2900, attempts: 8 };

/** One attempt, with the options to send commands with: they end when its time does. */
export type Attempt<T> = (options: { readonly abortSignal: AbortSignal }) => Promise<T>;

export type CallOptions = {
  /** For what must not happen twice: an attempt whose fate is unknown is not repeated. */
  readonly once?: boolean;
};

/**
 * Tries calls on a table again after faults that pass, with pauses of random length ("full jitter"), within bounds of
 * attempts and time. What then is left of a fault is StoreUnavailable, in one line that names the table; every other
 * error comes out as it is.
 */
export class Calls {
  readonly #tableName: string;
  readonly #limits: CallLimits;

  constructor(tableName: string, limits: CallLimits) {
    this.#tableName = tableName;
    this.#limits = limits;
  }

  async run<T>(attempt: Attempt<T>, { once = false }: CallOptions = {}): Promise<T> {
    const { attemptMs, totalMs, attempts } = this.#limits;
    const end = Date.now() + totalMs;
    for (let n = 1; ; n++) {
      try {
        return await withinTime(attempt, Math.min(attemptMs, Math.max(1, end - Date.now())));
      } catch (error) {
        const fault = faultOf(error);
        if (!fault) throw error;
        const wait = Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** n);
        if (!mayRepeat(fault, once) || n === attempts || Date.now() + wait >= end)
          throw this.#unavailable(fault, error);
        await pause(wait);
      }
    }
  }

  #unavailable({ reason }: Fault, cause: unknown): StoreUnavailable {
    return new StoreUnavailable(`The table ${this.#tableName} is unavailable: ${reason}.`, { cause });
  }
}

const mayRepeat = ({ fate }: Fault, once: boolean): boolean => fate === 'undone' || (fate === 'unknown' && !once);

/** Rejects with a TimeoutError when time is up, also where the attempt doesn't heed its signal: finding credentials. */
const withinTime = async <T>(attempt: Attempt<T>, ms: number): Promise<T> => {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DOMException(`There was no answer in ${ms} ms.`, 'TimeoutError');
    late.reject(error);
    controller.abort(error);
  }, ms);
  try {
    return await Promise.race([attempt({ abortSignal: controller.signal }), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
