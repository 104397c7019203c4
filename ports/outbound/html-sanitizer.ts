export interface HtmlSanitizer {
  /** The HTML without anything that could run, load or submit; plain formatting, links, images and tables stay. */
  sanitize(html: string): Promise<string>;
}
