import { parse } from 'node:querystring';
import type { Principal } from '../../domain/access/principal.ts';
import { DEFAULT_BODY_BYTES } from '../host/request-body.ts';
import type { Tool } from './tool.ts';

const MAX_QUERY = 200;

/** The tools that one address offers. */
export class Toolbox {
  readonly #tools: readonly Tool[];
  readonly #byName: ReadonlyMap<string, Tool>;
  readonly #largest: number;

  constructor(tools: readonly Tool[]) {
    this.#tools = tools;
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.#largest = tools.reduce((most, { bodyLimit }) => Math.max(most, bodyLimit), DEFAULT_BODY_BYTES);
  }

  get groups(): readonly string[] {
    return [...new Set(this.#tools.map(({ group }) => group))];
  }

  named(name: string): Tool | undefined {
    return this.#byName.get(name);
  }

  /** The tools that the caller may call. */
  for(principal: Principal): readonly Tool[] {
    return this.#tools.filter((tool) => tool.permits(principal));
  }

  /** The largest message in bytes that the caller may send; `length` is that of this one, if it is known. */
  limitFor(principal: Principal, length: number | undefined): number {
    if (this.#largest === DEFAULT_BODY_BYTES || (length !== undefined && length <= DEFAULT_BODY_BYTES)) {
      return DEFAULT_BODY_BYTES;
    }
    return this.for(principal).reduce((most, { bodyLimit }) => Math.max(most, bodyLimit), DEFAULT_BODY_BYTES);
  }

  /**
   * The tools that an address asks for: those of the groups in `?tools=library,install`, or every one. A sentence where
   * a group does not exist.
   */
  wanted(query: string): Toolbox | string {
    const { tools: given } = query === '' ? {} : parse(query);
    const text = Array.isArray(given) ? given.join(',') : (given ?? '');
    const names = text
      .slice(0, MAX_QUERY)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) return this;
    const { groups } = this;
    const wrong = names.find((name) => !groups.includes(name));
    if (wrong !== undefined) return `There is no group "${wrong.slice(0, 40)}"; ?tools= takes ${groups.join(', ')}.`;
    return new Toolbox(this.#tools.filter(({ group }) => names.includes(group)));
  }
}
