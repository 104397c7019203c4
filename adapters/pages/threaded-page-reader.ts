import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { CapturedPage, PageReader, ReadPage } from '../../ports/outbound/collect.ts';
import { type Done, ReadingThread } from './reading-thread.ts';

const outcome = <T>(done: Done<T>): Outcome<T, 'page_refused'> =>
  'value' in done ? ok(done.value) : refuse('page_refused', { message: done.refused });

/** Reads pages in a thread, one after the other: each for at most 10 seconds and in 256 MiB. */
export class ThreadedPageReader implements PageReader {
  readonly #thread: ReadingThread;

  constructor(thread: ReadingThread = new ReadingThread()) {
    this.#thread = thread;
  }

  async sheets(page: Pick<CapturedPage, 'html' | 'url'>): Promise<Outcome<readonly string[], 'page_refused'>> {
    return outcome(await this.#thread.do('sheets', page));
  }

  async read(page: CapturedPage): Promise<Outcome<ReadPage, 'page_refused'>> {
    return outcome(await this.#thread.do('page', page));
  }
}
