import { ContainerModule, type ContainerModuleLoadOptions, type ServiceIdentifier } from 'inversify';
import { type Parts, TOKENS, type Tokens } from './tokens.ts';

/** What a test, or a team with adapters of its own, puts in place of a part. */
export type Overrides = { readonly [Name in keyof Parts]?: Parts[Name] };

type Ids<P> = { readonly [Name in keyof P]: ServiceIdentifier<P[Name]> };

/** Binds the parts of an area as singletons; one that the caller brought is bound as it is. */
export class Binder {
  readonly #bindTo: ContainerModuleLoadOptions['bind'];
  readonly #overrides: Overrides;

  constructor(bind: ContainerModuleLoadOptions['bind'], overrides: Overrides) {
    this.#bindTo = bind;
    this.#overrides = overrides;
  }

  /** A part made from others, which are named as its constructor names them. */
  part<Name extends keyof Parts, P extends object>(
    name: Name,
    Class: new (ports: P) => Parts[Name],
    ports: (tokens: Tokens) => Ids<P>,
  ): this {
    const ids = Object.entries(ports(TOKENS)) as [string, ServiceIdentifier<unknown>][];
    return this.#bind(
      name,
      (...values) => new Class(Object.fromEntries(ids.map(([key], n) => [key, values[n]])) as P),
      ids.map(([, id]) => id),
    );
  }

  /** A part made by a function from others. */
  made<Name extends keyof Parts, const From extends readonly (keyof Parts)[]>(
    name: Name,
    from: From,
    make: (...parts: { [N in keyof From]: Parts[From[N]] }) => Parts[Name],
  ): this {
    return this.#bind(
      name,
      (...values) => make(...(values as { [N in keyof From]: Parts[From[N]] })),
      from.map((one) => TOKENS[one] as ServiceIdentifier<unknown>),
    );
  }

  #bind(name: keyof Parts, make: (...values: unknown[]) => unknown, ids: ServiceIdentifier<unknown>[]): this {
    const binding = this.#bindTo(TOKENS[name] as ServiceIdentifier<unknown>);
    const brought = this.#overrides[name];
    if (brought === undefined) binding.toResolvedValue(make, ids).inSingletonScope();
    else binding.toConstantValue(brought);
    return this;
  }
}

/** A module for one area. */
export const areaModule = (overrides: Overrides, bindArea: (binder: Binder) => void): ContainerModule =>
  new ContainerModule(({ bind }) => {
    // What a module returns counts as a promise to wait for; a binder is none.
    bindArea(new Binder(bind, overrides));
  });
