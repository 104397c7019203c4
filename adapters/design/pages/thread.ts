import { parentPort } from 'node:worker_threads';
import type { CapturedPage, ReadPage, Thumbnail } from '../../../ports/outbound/design/collect.ts';
import { Unreadable } from './unreadable.ts';

/* The program of a reading thread. It reads one page or image at a time, and keeps no state between them. */

/** The input and result of each task, by name. */
export type ThreadTasks = {
  readonly page: readonly [CapturedPage, ReadPage];
  readonly sheets: readonly [Pick<CapturedPage, 'html' | 'url'>, readonly string[]];
  readonly thumbnail: readonly [Uint8Array, Thumbnail];
};

export type Task = {
  readonly [W in keyof ThreadTasks]: { readonly work: W; readonly input: ThreadTasks[W][0] };
}[keyof ThreadTasks];

/** A thread's messages about a task: first that its code is loaded and its time starts, then its result. */
export type Message =
  | { readonly state: 'begun' }
  | { readonly state: 'done'; readonly value: unknown }
  | { readonly state: 'refused'; readonly sentence: string };

const begun = () => parentPort?.postMessage({ state: 'begun' } satisfies Message);

const run = async ({ work, input }: Task): Promise<unknown> => {
  if (work === 'thumbnail') {
    const { thumbnailOf } = await import('./images/thumbnail.ts');
    begun();
    return thumbnailOf(input);
  }
  const { readPage, sheetsOf } = await import('./html/read-page.ts');
  begun();
  return work === 'page' ? readPage(input) : sheetsOf(input);
};

parentPort?.on('message', async (task: Task) => {
  let message: Message;
  try {
    message = { state: 'done', value: await run(task) };
  } catch (error) {
    // Any error except a refusal terminates the thread and fails its task.
    if (!(error instanceof Unreadable)) throw error;
    message = { state: 'refused', sentence: error.message };
  }
  parentPort?.postMessage(message);
});
