import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { OneAtATime } from '../../../application/shared/one-at-a-time.ts';
import { imageHead } from '../../../domain/shared/image-head.ts';
import { ok, refuse } from '../../../domain/shared/outcome.ts';
import type { ImageReader, PageReader } from '../../../ports/outbound/design/collect.ts';
import type { Message, Task, ThreadTasks } from './thread.ts';

export type { ThreadTasks } from './thread.ts';

/**
 * The program of the thread. It is next to this file in each of three forms: source (`thread.ts`), build (`thread.js`),
 * and a function's bundle, which needs a second entry for it. That entry is named `page-thread.mjs`: `entryPoints: {
 * index: …, 'page-thread': 'adapters/design/pages/thread.ts' }` with the extension `.mjs`, in the same folder.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  '.ts': './thread.ts',
  '.js': './thread.js',
  '.mjs': './page-thread.mjs',
};

const programOf = (url: string): URL => new URL(PROGRAMS[extname(new URL(url).pathname)] ?? './thread.js', url);

export type ThreadLimits = {
  /** The time limit of a task in milliseconds, from the moment that the thread starts it. */
  readonly taskMs: number;
  /** The heap limit in MiB for the data that the thread builds. File contents are outside the heap. */
  readonly heapMib: number;
  /** An idle thread ends after this many milliseconds. */
  readonly idleMs: number;
};

export const THREAD_LIMITS: ThreadLimits = { taskMs: 10_000, heapMib: 256, idleMs: 5_000 };

/** The time limit in milliseconds for a thread to start and load its code. */
const START_MS = 60_000;

export type Done<T> = { readonly value: T } | { readonly refused: string };

const outOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * A thread that runs tasks one after another. It starts with the first task and ends when it is idle; a task that
 * exceeds its time or memory terminates it at once. It keeps the process alive only while a task runs.
 */
export class ReadingThread {
  readonly #limits: ThreadLimits;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #turns = new OneAtATime();

  constructor(limits: ThreadLimits = THREAD_LIMITS) {
    this.#limits = limits;
  }

  /** Runs the task after all earlier ones. Rejects if the thread itself fails. */
  do<W extends keyof ThreadTasks>(work: W, input: ThreadTasks[W][0]): Promise<Done<ThreadTasks[W][1]>> {
    const task = { work, input } as Task;
    return this.#turns.run('', () => this.#do<ThreadTasks[W][1]>(task));
  }

  #started(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker) return this.#worker;
    const worker = new Worker(programOf(import.meta.url), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMib, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    this.#worker = worker;
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => this.#end(worker), this.#limits.idleMs).unref();
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    void worker.terminate();
  }

  #do<T>(task: Task): Promise<Done<T>> {
    const worker = this.#started();
    const { taskMs, heapMib } = this.#limits;
    worker.ref();
    return new Promise<Done<T>>((resolve, reject) => {
      let timer = setTimeout(() => fail(new Error('A reading thread did not start in time.')), START_MS);
      const finish = (isUsable: boolean) => {
        clearTimeout(timer);
        worker.off('message', hear).off('error', fail).off('exit', leave);
        if (isUsable) return this.#rest(worker);
        worker.on('error', () => {});
        return this.#end(worker);
      };
      const refuse = (sentence: string, isUsable: boolean) => {
        finish(isUsable);
        resolve({ refused: sentence });
      };
      const tooLong = () => refuse(`Reading it took longer than ${taskMs / 1000} seconds.`, false);
      const fail = (error: unknown) => {
        if (outOfMemory(error)) return refuse(`Reading it took more than ${heapMib} MiB of memory.`, false);
        finish(false);
        return reject(error);
      };
      const leave = () => fail(new Error('A reading thread ended by itself.'));
      const hear = (message: Message) => {
        if (message.state === 'begun') {
          clearTimeout(timer);
          timer = setTimeout(tooLong, taskMs);
        } else if (message.state === 'refused') refuse(message.sentence, true);
        else {
          finish(true);
          resolve({ value: message.value as T });
        }
      };
      worker.on('message', hear).on('error', fail).on('exit', leave);
      worker.postMessage(task);
    });
  }
}

const outcome = <T, R extends string>(code: R, done: Done<T>) =>
  'value' in done ? ok(done.value) : refuse(code, { message: done.refused });

/** Reads pages one after another in a thread, each for at most 10 seconds and with at most 256 MiB. */
export const threadedPages = (thread = new ReadingThread()): PageReader => ({
  sheets: async (page) => outcome('page_refused', await thread.do('sheets', page)),
  read: async (page) => outcome('page_refused', await thread.do('page', page)),
});

/** Reads images one after another in a thread, each for at most 10 seconds. */
export const threadedImages = (thread = new ReadingThread()): ImageReader => ({
  measure: imageHead,
  thumbnail: async (image) => outcome('image_refused', await thread.do('thumbnail', image)),
});
