import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ImageReader, Thumbnail } from '../../ports/outbound/collect.ts';
import { type ImageHead, imageHead } from './images/image-head.ts';
import { ReadingThread } from './reading-thread.ts';

export type { ImageHead } from './images/image-head.ts';

/** Reads images in a thread, one after the other: each for at most 10 seconds. */
export class ThreadedImageReader implements ImageReader {
  readonly #thread: ReadingThread;

  constructor(thread: ReadingThread = new ReadingThread()) {
    this.#thread = thread;
  }

  measure(head: Uint8Array): ImageHead | undefined {
    return imageHead(head);
  }

  async thumbnail(image: Uint8Array): Promise<Outcome<Thumbnail, 'image_refused'>> {
    const done = await this.#thread.do('thumbnail', image);
    return 'value' in done ? ok(done.value) : refuse('image_refused', { message: done.refused });
  }
}
