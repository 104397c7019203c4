export interface HtmlSanitizer {
  /** The HTML without parts that could run, load or submit. Plain formatting, links, images and tables stay. */
  sanitize(html: string): Promise<string>;
}
