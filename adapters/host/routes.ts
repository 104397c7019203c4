/** A method, a path with its parameters in braces, and the entry for both. */
export type Route<T> = { readonly method: string; readonly path: string; readonly entry: T };

export type RouteMatch<T> = {
  /** The entries by method. A path with GET also has HEAD. */
  readonly entries: ReadonlyMap<string, T>;
  /** The parameters of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
};

type PathEntries<T> = { readonly path: string; readonly entries: Map<string, T> };

const NO_PARAMS = {};

/** `{path}` matches slashes too; every other parameter ends at a slash. */
const patternOf = (path: string): RegExp => {
  const plain = path.replaceAll('.', '\\.');
  return new RegExp(`^${plain.replace('{path}', '(?<path>.+)').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
};

const decoded = (groups: Readonly<Record<string, string>>): RouteMatch<unknown>['params'] | undefined => {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return undefined;
  }
};

/**
 * A table of routes, compiled once. A path without parameters is found by one lookup; the others are tried in order.
 * Paths are case-sensitive. A trailing slash is ignored, except in `{path}`.
 */
export class Routes<T> {
  readonly #plain = new Map<string, PathEntries<T>>();
  readonly #patterns: { readonly pattern: RegExp; readonly isGreedy: boolean; readonly route: PathEntries<T> }[] = [];

  constructor(routes: readonly Route<T>[]) {
    const byPath = new Map<string, PathEntries<T>>();
    for (const { method, path, entry } of routes) {
      const route = byPath.get(path) ?? { path, entries: new Map<string, T>() };
      if (route.entries.has(method)) throw new Error(`${method} ${path} has two routes.`);
      route.entries.set(method, entry);
      if (method === 'GET') route.entries.set('HEAD', entry);
      byPath.set(path, route);
    }
    for (const route of byPath.values()) {
      const { path } = route;
      if (!path.includes('{')) this.#plain.set(path, route);
      else this.#patterns.push({ pattern: patternOf(path), isGreedy: path.endsWith('{path}'), route });
    }
  }

  /** The route of a path; undefined if no route matches, or if a parameter is not percent-encoded UTF-8. */
  find(path: string): RouteMatch<T> | undefined {
    const named = path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path;
    const plain = this.#plain.get(named);
    if (plain) return { entries: plain.entries, params: NO_PARAMS };
    for (const { pattern, isGreedy, route } of this.#patterns) {
      const groups = pattern.exec(isGreedy ? path : named)?.groups;
      if (!groups) continue;
      const params = decoded(groups);
      return params && { entries: route.entries, params };
    }
    return undefined;
  }
}
