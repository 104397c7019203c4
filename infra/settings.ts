const AND = new Intl.ListFormat('en');
const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** Bounds of a whole number. */
export type Bounds = { readonly least: number; readonly most: number };

/** The form of a text, and the words for it in a refusal. */
export type Form = { readonly pattern: RegExp; readonly takes: string };

type Members = Readonly<Record<string, unknown>>;

const shown = (value: unknown): string => JSON.stringify(value);

/**
 * The settings of a stage, as its file has them. Every method throws one sentence for a value that it doesn't take, and
 * `refuseOthers` for a member that nobody asked for, so that a misspelt name is no silent default.
 */
export class Settings {
  readonly #members: Members;
  readonly #within: string;
  readonly #asked = new Set<string>();

  constructor(members: unknown, within = '') {
    if (typeof members !== 'object' || members === null || Array.isArray(members)) {
      throw new Error(
        `${within === '' ? 'The file of a stage' : `"${within}"`} takes an object; it is ${shown(members)}.`,
      );
    }
    this.#members = members as Members;
    this.#within = within;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  text(name: string, { pattern, takes }: Form = { pattern: /\S/, takes: 'a text' }): string | undefined {
    const value = this.#value(name);
    if (value === undefined || (typeof value === 'string' && pattern.test(value))) return value;
    throw this.#wrong(name, takes, value);
  }

  oneOf<const V extends string>(name: string, values: readonly V[], otherwise: V): V {
    const value = this.#value(name) ?? otherwise;
    const found = values.find((one) => one === value);
    if (found === undefined) throw this.#wrong(name, OR.format(values.map(shown)), value);
    return found;
  }

  whole(name: string, { least, most }: Bounds): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
    throw this.#wrong(name, `a whole number from ${least} to ${most}`, value);
  }

  texts(name: string): readonly string[] {
    const value = this.#value(name) ?? [];
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    throw this.#wrong(name, 'a list of texts', value);
  }

  /** The settings below a name, after `read` has taken all that there may be; undefined where there are none. */
  within<T>(name: string, read: (settings: Settings) => T): T | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const below = new Settings(value, this.#path(name));
    const result = read(below);
    below.refuseOthers();
    return result;
  }

  /** Texts that have to be there all. */
  together<const N extends string>(names: readonly N[], form?: Form): Readonly<Record<N, string>> {
    const given = names.map((name) => [name, this.text(name, form)] as const);
    if (given.every(([, value]) => value !== undefined)) return Object.fromEntries(given) as Record<N, string>;
    const named = AND.format(names.map((name) => `"${this.#path(name)}"`));
    throw new Error(names.length === 1 ? `${named} is missing.` : `${named} belong together; one of them is missing.`);
  }

  refuseOthers(): void {
    const unknown = Object.keys(this.#members).find((name) => !this.#asked.has(name));
    if (unknown === undefined) return;
    throw new Error(`"${this.#path(unknown)}" is no setting; there are ${[...this.#asked].toSorted().join(', ')}.`);
  }

  #value(name: string): unknown {
    this.#asked.add(name);
    return this.#members[name];
  }

  #path(name: string): string {
    return this.#within === '' ? name : `${this.#within}.${name}`;
  }

  #wrong(name: string, takes: string, value: unknown): Error {
    return new Error(`"${this.#path(name)}" takes ${takes}; it is ${shown(value)}.`);
  }
}
