// inversify loads only this part of the package; a plain import would load all of it too.
import 'reflect-metadata/lite';
import { Container, type ServiceIdentifier } from 'inversify';
import type { AnyHandlers } from '../../adapters/pipeline/handler.ts';
import type { Area, Complete, Make, NeededBy } from './area.ts';
import type { Base, Everything, PartsWith } from './areas/all-areas.ts';
import { environment } from './areas/environment.ts';
import { pipeline } from './areas/pipeline.ts';
import { repositories } from './areas/repositories.ts';
import { DEFAULTS, type Engines, type Settings } from './settings.ts';

/** The wired service, which returns any part by name. A part is created on first use. */
export type Service<P = Everything> = {
  readonly get: <Name extends keyof P>(name: Name) => P[Name];
  readonly parts: P;
};

/** Parts that replace those with the same names, such as a fake clock in a test or a team's own licenses. */
export type Overrides = { readonly [Name in keyof Everything]?: Everything[Name] };

const tokenOf = (name: string): ServiceIdentifier<unknown> => Symbol.for(`account-service/${name}`);

type Bind = (name: string) => void;

/** Defines the parts by name. Each is bound in the container and created on first use: most programs use few. */
const define = (parts: object, container: Container, names: Iterable<string>, bind: Bind): void => {
  for (const name of names) {
    const get = (): unknown => {
      if (!container.isBound(tokenOf(name))) bind(name);
      const value = container.get(tokenOf(name));
      Object.defineProperty(parts, name, { value });
      return value;
    };
    Object.defineProperty(parts, name, { get, configurable: true, enumerable: true });
  }
};

/**
 * The functions that create the areas' parts, by name. Areas that name the same use case share it. Throws if two areas
 * have different parts with one name.
 */
const makersOf = (areas: readonly Area[]): Map<string, Make<never, unknown>> => {
  const makers = new Map<string, Make<never, unknown>>();
  for (const [name, make] of areas.flatMap(({ parts }) => Object.entries(parts))) {
    const former = makers.get(name) ?? make;
    if (former !== make) {
      throw new Error(
        `Two areas give the part "${name}"; name one of them otherwise, or replace ours by the overrides.`,
      );
    }
    makers.set(name, make);
  }
  return makers;
};

/** The areas of every service. */
export const baseOf = (settings: Settings, engines: Engines): Base => [
  environment(engines, { ...DEFAULTS, ...settings }),
  repositories(settings.catalogAge),
  pipeline,
];

/**
 * Wires a service with these areas. It creates each part at most once. Areas that need a missing part do not compile.
 * `overrides` replace parts with the same names. A host serves the endpoints of these areas. Throws if two areas have
 * different parts with one name.
 */
export const bootstrap = <const A extends readonly Area[]>(
  settings: Settings,
  engines: Engines,
  areas: A & Complete<PartsWith<A>, NeededBy<[...Base, ...A]>>,
  overrides: Overrides = {},
): Service<PartsWith<A>> => {
  const container = new Container();
  // Without a prototype it is a dictionary: in an object, each redefinition copies the list of all properties.
  const parts: PartsWith<A> = Object.create(null);
  const served: Area = {
    parts: {
      endpoints: () => areas.flatMap(({ endpoints = {} }) => Object.values(endpoints)),
      handlers: (): AnyHandlers => Object.assign({}, ...areas.map(({ handlers }) => handlers?.(parts as never))),
    },
  };
  const makers = makersOf([...baseOf(settings, engines), ...areas, served]);
  // A misspelled name would leave the built-in part in force.
  const unknown = Object.keys(overrides).find((name) => !makers.has(name));
  if (unknown !== undefined) throw new RangeError(`No part is named "${unknown}", so nothing overrides it.`);
  const replaced: Readonly<Record<string, unknown>> = overrides;
  define(parts, container, makers.keys(), (name) => {
    const binding = container.bind(tokenOf(name));
    if (replaced[name] !== undefined) binding.toConstantValue(replaced[name]);
    else binding.toDynamicValue(() => makers.get(name)?.(parts as never)).inSingletonScope();
  });
  return { get: (name) => parts[name], parts };
};
