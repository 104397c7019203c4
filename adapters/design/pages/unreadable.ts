/** Thrown by a reader for a page or an image that it refuses. The message is one sentence for the collector's author. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
