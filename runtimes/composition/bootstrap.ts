// inversify itself loads this part of the package. The whole would be loaded beside it.
import 'reflect-metadata/lite';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import type { AnyHandlers } from '../../adapters/pipeline/handler.ts';
import type { Area, Complete, NeededBy } from './area.ts';
import { access } from './areas/access.ts';
import type { Base, PartsWith } from './areas/everything.ts';
import { outside } from './areas/outside.ts';
import { storage } from './areas/storage.ts';
import type { Overrides, Service } from './service.ts';
import type { Engines, Settings } from './settings.ts';

const tokenOf = (name: string): ServiceIdentifier<unknown> => Symbol.for(`account-service/${name}`);

/** A module that binds an area's parts as singletons. An override is bound as it is. */
const moduleOf = (
  { parts: makers }: Area,
  parts: object,
  overrides: Readonly<Record<string, unknown>>,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    for (const [name, make] of Object.entries(makers)) {
      const brought = overrides[name];
      const binding = bind(tokenOf(name));
      if (brought !== undefined) binding.toConstantValue(brought);
      else binding.toDynamicValue(() => make(parts as never)).inSingletonScope();
    }
  });

/** Defines the parts of the container by name. Each part is made when it is first asked for. */
const define = (parts: object, container: Container, names: readonly string[]): void => {
  for (const name of names) {
    const get = (): unknown => {
      const value = container.get(tokenOf(name));
      Object.defineProperty(parts, name, { value });
      return value;
    };
    Object.defineProperty(parts, name, { get, configurable: true, enumerable: true });
  }
};

/** The names of the areas' parts. Throws where two areas give parts of one name. */
const namesOf = (areas: readonly Area[]): string[] => {
  const names = areas.flatMap((area) => Object.keys(area.parts));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return names;
  throw new Error(`Two areas give the part "${twice}"; name one of them otherwise, or replace ours by the overrides.`);
};

/** The areas of every service. */
export const baseOf = (settings: Settings, engines: Engines): Base => [
  outside(engines, settings),
  storage(settings.catalogAge),
  access,
];

/**
 * Wires a service with these areas. It makes each part at most once. Areas that need a part which no area gives do not
 * compile. `overrides` replace parts of the same names. A host serves the endpoints of these areas. Throws where two
 * areas give parts of one name.
 */
export const bootstrap = <const A extends readonly Area[]>(
  settings: Settings,
  engines: Engines,
  areas: A & Complete<PartsWith<A>, NeededBy<[...Base, ...A]>>,
  overrides: Overrides = {},
): Service<PartsWith<A>> => {
  const container = new Container();
  const parts = {} as PartsWith<A>;
  const served: Area = {
    parts: {
      endpoints: () => areas.flatMap(({ endpoints = {} }) => Object.values(endpoints)),
      handlers: (): AnyHandlers => Object.assign({}, ...areas.map(({ handlers }) => handlers?.(parts as never))),
    },
  };
  const all: readonly Area[] = [...baseOf(settings, engines), ...areas, served];
  const names = namesOf(all);
  // A misspelt name would leave our part in force.
  const unknown = Object.keys(overrides).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`No part is named "${unknown}", so nothing overrides it.`);
  container.load(...all.map((area) => moduleOf(area, parts, overrides)));
  define(parts, container, names);
  return { get: (name) => parts[name], parts };
};
