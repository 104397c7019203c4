import type { FunctionName } from '../../infra/bundles/functions.ts';
import type { Route } from '../../infra/routes.ts';

export type Match = {
  readonly resource: string;
  readonly to: FunctionName;
  readonly parameters: Record<string, string>;
};

const PARAMETER = /^\{(\w+)(\+?)\}$/;

/** The parameters of a resource in a path, or undefined if the path doesn't match. */
const parametersOf = (resource: string, path: string): Record<string, string> | undefined => {
  const parts = path.split('/').slice(1);
  const parameters: Record<string, string> = {};
  const wanted = resource.split('/').slice(1);
  for (const [i, part] of wanted.entries()) {
    const [, name, greedy] = PARAMETER.exec(part) ?? [];
    const value = greedy ? parts.slice(i).join('/') : parts[i];
    if (value === undefined || (name ? value === '' : value !== part)) return undefined;
    if (name) parameters[name] = value;
    if (greedy) return parameters;
  }
  return parts.length === wanted.length ? parameters : undefined;
};

/** The sort key of a resource: literal parts come before parameters, and parameters before greedy ones. */
const rank = (resource: string): string =>
  resource
    .split('/')
    .map((part) => (part.endsWith('+}') ? '2' : part.startsWith('{') ? '1' : '0'))
    .join('');

/** Finds the most specific resource that a path matches, as API Gateway does. */
export const matchResource = (routes: readonly Route[], path: string): Match | undefined => {
  const [best] = routes
    .flatMap(({ path: resource, to }) => {
      const parameters = parametersOf(resource, path);
      return parameters ? [{ resource, to, parameters }] : [];
    })
    .toSorted((a, b) => (rank(a.resource) < rank(b.resource) ? -1 : 1));
  return best;
};
