import { type Config, shownPlace } from '../composition/config.ts';
import { BUILT_IN } from '../composition/engines/built-in.ts';
import { isInstalled } from '../composition/package-root.ts';

/** A text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command line of a checkout, or of an installed package. */
const program = (): string => (isInstalled() ? 'npx account-service' : 'npm run -s cli --');

/**
 * The operator's command line for the store that was started, with the variables that name the store. `own` is that of
 * a team's program; without it, a store on an engine of a team has a word to replace. One that ACCOUNT_SERVICE_CLI
 * names knows the variables by itself.
 */
export const cliCommand = (
  env: Readonly<Record<string, string | undefined>>,
  { store, objects }: Pick<Config, 'store' | 'objects'>,
  own?: string,
): string => {
  const { ACCOUNT_SERVICE_CLI } = env;
  if (ACCOUNT_SERVICE_CLI) return ACCOUNT_SERVICE_CLI;
  const isOurs = Object.hasOwn(BUILT_IN.tables, store.name) && Object.hasOwn(BUILT_IN.objects, objects.name);
  const names = new Set(['STORE', 'OBJECTS', 'DATA_DIR', store.engine.variable, objects.engine.variable]);
  const set = [...names].flatMap((name) =>
    name !== null && env[name] ? `${name}=${shellWord(shownPlace(env[name]))} ` : '',
  );
  return `${set.join('')}${own ?? (isOurs ? program() : 'YOUR_CLI')}`;
};
