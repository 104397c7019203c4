/** Thrown for a page or an image that a reader refuses. The message is one sentence for the collector's author. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
