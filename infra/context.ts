import type { App } from 'aws-cdk-lib';

/** Names of a setting of ours. The CDK's own names hold a hyphen, a colon or an at sign. */
const OURS = /^[a-z][A-Za-z0-9]*$/;

const AND = new Intl.ListFormat('en');
const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** Bounds of a whole number. */
export type Bounds = { readonly least: number; readonly most: number };

/**
 * The settings that an operator gives by `-c name=value`, or under `context` in `cdk.json`. An empty value counts as
 * none. Every method throws one sentence for a wrong value, and `refuseOthers` for a name that nobody asked for.
 */
export class Context {
  readonly #app: App;
  readonly #asked = new Set<string>();

  constructor(app: App) {
    this.#app = app;
  }

  text(name: string): string | undefined {
    this.#asked.add(name);
    return this.#given(name);
  }

  /** True for `true`, and false for `false` or nothing. */
  flag(name: string): boolean {
    return this.oneOf(name, ['false', 'true'], 'false') === 'true';
  }

  oneOf<const V extends string>(name: string, values: readonly V[], otherwise: V): V {
    const given = this.text(name) ?? otherwise;
    const value = values.find((one) => one === given);
    if (value === undefined) throw new Error(`-c ${name} takes ${OR.format(values)}; it is "${given}".`);
    return value;
  }

  whole(name: string, bounds: Bounds): number | undefined {
    return this.#whole(name, bounds, '');
  }

  /** A whole number, or `off`. */
  wholeOrOff(name: string, bounds: Bounds): number | 'off' | undefined {
    return this.text(name) === 'off' ? 'off' : this.#whole(name, bounds, ', or off');
  }

  /** The values of settings that belong together: all of them, or undefined where none is given. */
  together<const N extends string>(names: readonly N[]): Readonly<Record<N, string>> | undefined {
    const given = names.flatMap((name) => {
      const value = this.text(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    if (given.length === 0) return undefined;
    if (given.length === names.length) return Object.fromEntries(given) as Record<N, string>;
    throw new Error(`${AND.format(names.map((name) => `-c ${name}`))} belong together; one of them is missing.`);
  }

  /** Throws where a setting was given that is no more. `instead` says what to do, such as "set another one". */
  refuse(name: string, instead: string): void {
    if (this.#given(name) === undefined) return;
    throw new Error(`-c ${name} is no setting any more; ${instead}.`);
  }

  /** Throws where a setting was given that no option has, so that a misspelt name is no silent default. */
  refuseOthers(): void {
    const names = Object.keys(this.#app.node.getAllContext());
    const unknown = names.find((name) => OURS.test(name) && !this.#asked.has(name));
    if (unknown === undefined) return;
    throw new Error(`-c ${unknown} is no setting; there are ${[...this.#asked].toSorted().join(', ')}.`);
  }

  #given(name: string): string | undefined {
    const value: unknown = this.#app.node.tryGetContext(name);
    return value === undefined || value === null || value === '' ? undefined : String(value);
  }

  #whole(name: string, { least, most }: Bounds, otherwise: string): number | undefined {
    const given = this.text(name);
    if (given === undefined) return undefined;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new Error(`-c ${name} takes a whole number from ${least} to ${most}${otherwise}; it is "${given}".`);
  }
}
