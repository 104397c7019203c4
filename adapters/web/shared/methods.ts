/** The methods that an app supports, by path in Express's notation. */
export class Methods {
  readonly #taken = new Map<string, string[]>();

  add(path: string, method: 'GET' | 'POST'): void {
    const taken = this.#taken.get(path) ?? [];
    taken.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    this.#taken.set(path, taken);
  }

  entries(): Iterable<readonly [path: string, taken: readonly string[]]> {
    return this.#taken;
  }
}
