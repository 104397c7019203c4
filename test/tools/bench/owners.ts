import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../../', import.meta.url).href;

/** Functions of V8 and Node that have no file, by the name under which a profile has them. */
const WITHOUT_FILE: Readonly<Record<string, string>> = {
  '(garbage collector)': 'V8: garbage collection',
  '(program)': 'outside JavaScript: kernel, libuv, compiler',
  '(idle)': 'idle',
  '(root)': 'outside JavaScript: kernel, libuv, compiler',
};

/** Modules of Node by what they do; the first match counts. */
const NODE_GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^node:(internal\/)?(crypto|webcrypto)/, 'node: crypto'],
  [/sqlite/, 'node: sqlite'],
  [/^node:(internal\/)?(_?http|http)/, 'node: http'],
  [
    /^node:(internal\/deps\/undici|internal\/url|url|internal\/webstreams|internal\/blob)/,
    'node: fetch, URL, web streams',
  ],
  [/^node:(internal\/)?(net|stream_base_commons|js_stream_socket|dgram|dns)/, 'node: net'],
  [/^node:(internal\/)?(streams|stream)/, 'node: streams'],
  [/^node:(internal\/)?(process\/task_queues|timers|async_hooks|process\/promises)/, 'node: timers and tasks'],
  [/^node:(internal\/)?(buffer|string_decoder|encoding)/, 'node: buffers'],
  [/^node:(internal\/)?(events)/, 'node: events'],
];

const ours = (path: string): string => {
  const [layer = '', folder = ''] = path.split('/');
  if (layer === 'adapters') return `adapters/${folder}`;
  return layer === 'test' ? 'the benchmark' : layer;
};

const packageOf = (path: string): string => {
  const [scope = '', name = ''] = path.split('/');
  return `package ${scope.startsWith('@') ? `${scope}/${name}` : scope}`;
};

const inFile = (url: string): string => {
  const path = url.startsWith(ROOT) ? url.slice(ROOT.length) : fileURLToPath(url);
  const inPackages = path.lastIndexOf('node_modules/');
  return inPackages < 0 ? ours(path) : packageOf(path.slice(inPackages + 'node_modules/'.length));
};

/**
 * The owner of a function in a profile: a folder of ours, a package, a group of Node's modules, or V8. Undefined for a
 * built-in without a file, which belongs to its caller.
 */
export const ownerOf = (functionName: string, url: string): string | undefined => {
  if (url.startsWith('file:')) return inFile(url);
  if (url.startsWith('node:')) return NODE_GROUPS.find(([pattern]) => pattern.test(url))?.[1] ?? 'node: other';
  return WITHOUT_FILE[functionName];
};
