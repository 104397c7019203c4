import { LRUCache } from 'lru-cache';

/**
 * The maximum age of a cached catalog or release in milliseconds, at most 30,000 if other processes write. `unbounded`
 * is for an engine that only this process writes to.
 */
export type CacheAge = number | 'unbounded';

/** A copy that can't be refreshed is served up to this age, in milliseconds. */
const MOST_STALE_MS = 60 * 60 * 1000;

/** Beyond this share of the maximum age, a copy is refreshed in the background, so that no request waits for it. */
const RENEWED_AT = 2 / 3;

/** The pause after a failed refresh, in milliseconds. */
const PAUSE_MS = 1000;

/**
 * A read that began longer ago than this started before its process was frozen, as an AWS function is between calls.
 * Its response may date from before the pause.
 */
const LONGEST_READ_MS = 30_000;

/** Work that several callers may await, with its start in process milliseconds. */
type RunningRead<T> = { readonly work: Promise<T>; readonly began: number };

/** True if a caller may await this work instead of starting its own. */
const isUnderWay = <T>(one: RunningRead<T> | undefined): one is RunningRead<T> =>
  one !== undefined && performance.now() - one.began <= LONGEST_READ_MS;

/** The minimum time between two reports of faults, in milliseconds. */
const TOLD_MS = 60_000;

/** Logs a fault that did not fail a request. */
export type TellFault = (fault: unknown) => void;

type Copy<T> = { readonly value: T; readonly checked: number };

type Renew<T> = (before: T | undefined) => Promise<T>;

/**
 * Caches a copy of something in the store. While the store answers, no copy is older than the maximum age: it is
 * refreshed in the background after two thirds of it, and before a request only if it was unused for longer. While the
 * store does not answer, the copy is served until it is an hour old.
 */
export class CachedCopy<T> {
  readonly #renewing: Renew<T>;
  readonly #age: number;
  readonly #tell: TellFault;
  #copy: Copy<T> | undefined;
  #underWay: RunningRead<T> | undefined;
  #failedAt: number | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  /** `renew` gets the current copy, and returns it if nothing has changed. */
  constructor(age: CacheAge, renew: Renew<T>, tell: TellFault = () => {}) {
    this.#age = age === 'unbounded' ? Number.POSITIVE_INFINITY : age;
    this.#renewing = renew;
    this.#tell = tell;
  }

  /** The copy. Rejects if no copy is young enough to serve and the store does not answer. */
  async current(): Promise<T> {
    const copy = this.#copy;
    if (!copy) return this.#renewed();
    const now = performance.now();
    const age = now - copy.checked;
    if (age < this.#age * RENEWED_AT) return copy.value;
    const hasFailed = this.#failedAt !== undefined;
    const waits = age >= (hasFailed ? MOST_STALE_MS : this.#age);
    if (hasFailed && !waits && now - (this.#failedAt ?? 0) < PAUSE_MS) return copy.value;
    const renewed = this.#renewed();
    if (!waits) return copy.value;
    try {
      return await renewed;
    } catch (error) {
      if (age >= MOST_STALE_MS) throw error;
      return copy.value;
    }
  }

  /** Refreshes an existing copy now, so that the next call does not have to. */
  lookAgain(): void {
    if (this.#copy) void this.#renewed();
  }

  /** Makes the next call refresh the copy, and fail if the store does not answer. */
  forget(): void {
    this.#copy = this.#copy && { value: this.#copy.value, checked: Number.NEGATIVE_INFINITY };
    this.#underWay = undefined;
  }

  #renewed(): Promise<T> {
    return isUnderWay(this.#underWay) ? this.#underWay.work : this.#renew();
  }

  #renew(): Promise<T> {
    const began = performance.now();
    const work = this.#renewing(this.#copy?.value);
    this.#underWay = { work, began };
    // The rejection is handled here, because nobody may be waiting for the work. Work that was replaced or forgotten
    // has no effect.
    work.then(
      (value) => {
        if (this.#underWay?.work !== work) return;
        this.#underWay = undefined;
        this.#copy = { value, checked: began };
        this.#failedAt = undefined;
      },
      (error: unknown) => {
        if (this.#underWay?.work !== work) return;
        this.#underWay = undefined;
        this.#failedAt = performance.now();
        this.#tellOf(error);
      },
    );
    return work;
  }

  #tellOf(fault: unknown): void {
    const now = performance.now();
    if (!this.#copy || now - this.#toldAt < TOLD_MS) return;
    this.#toldAt = now;
    this.#tell(fault);
  }
}

/**
 * Caches values that are read one by one, until `drop` names them. A read that `drop` overtakes is not cached, because
 * it may be older than the change.
 */
export class CachedRecords<V extends object> {
  readonly #values: LRUCache<number, V>;
  readonly #reading = new Map<number, RunningRead<V>>();
  readonly #read: (id: number) => Promise<V>;

  constructor(max: number, read: (id: number) => Promise<V>) {
    this.#values = new LRUCache({ max });
    this.#read = read;
  }

  cached(id: number): V | undefined {
    return this.#values.get(id);
  }

  /** Reads the value, or joins a read in progress. */
  read(id: number): Promise<V> {
    const underWay = this.#reading.get(id);
    if (isUnderWay(underWay)) return underWay.work;
    const reading = { work: this.#read(id), began: performance.now() };
    this.#reading.set(id, reading);
    const end = (value?: V): void => {
      if (this.#reading.get(id) !== reading) return;
      this.#reading.delete(id);
      if (value) this.#values.set(id, value);
    };
    reading.work.then(end, () => end());
    return reading.work;
  }

  /** Forgets these values, or all if `ids` is undefined. */
  drop(ids: readonly number[] | undefined): void {
    if (!ids) {
      this.#values.clear();
      this.#reading.clear();
      return;
    }
    for (const id of ids) {
      this.#values.delete(id);
      this.#reading.delete(id);
    }
  }
}
