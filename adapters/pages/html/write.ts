import { Unreadable } from '../unreadable.ts';
import type { Kept } from './attributes.ts';

/** A saved page is at most this many characters, twice the largest upload. */
const MOST_CHARACTERS = 20_971_520;
const STEP = 65_536;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};

const escapeCharacter = (character: string): string => ENTITIES[character] ?? character;

/** Collects the text of a page piece by piece, and stops where it grows too large. */
export class PageWriter {
  readonly #pieces: string[] = [];
  #size = 0;

  raw(text: string): void {
    this.#size += text.length;
    if (this.#size > MOST_CHARACTERS) throw new Unreadable('The saved page would be too large.');
    this.#pieces.push(text);
  }

  /** Text between elements, or in an attribute's quotes. Replaced in steps, so that the limit holds meanwhile. */
  text(text: string): void {
    for (let at = 0; at < text.length; at += STEP) {
      this.raw(text.slice(at, at + STEP).replace(/[&<>"\u00a0]/g, escapeCharacter));
    }
  }

  open(tag: string, attributes: readonly Kept[]): void {
    this.raw(`<${tag}`);
    for (const [name, value] of attributes) {
      this.raw(` ${name}="`);
      this.text(value);
      this.raw('"');
    }
    this.raw('>');
  }

  toString(): string {
    return this.#pieces.join('');
  }
}
