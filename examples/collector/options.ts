import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { PAGES, type PageToCollect } from './pages.ts';

/** A wrong argument, in one sentence. The exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const LANGS = ['ko', 'en'] as const;
export const VIEWPORTS = { desktop: { width: 1280, height: 800 }, mobile: { width: 390, height: 844 } } as const;
export type Lang = (typeof LANGS)[number];
export type Viewport = keyof typeof VIEWPORTS;

export type Options = {
  /** The address of the design host, and a token of the role `collect`. */
  readonly design: string;
  readonly token: string;
  /** The address of the account host, and the account whose pages are collected; null without such pages. */
  readonly account: { readonly url: string; readonly email: string; readonly password: string } | null;
  readonly pages: readonly PageToCollect[];
  readonly langs: readonly Lang[];
  readonly viewports: readonly Viewport[];
  readonly chromium: string;
  /** Seconds to wait for a run of another agent to end, and for the replay. */
  readonly waitSeconds: number;
  readonly replaySeconds: number;
  readonly json: boolean;
};

export const USAGE = `usage: npx node examples/collector/main.ts --design URL [--account URL --email E] [options]

  --design URL           the design host
  --token T              token of an agent of the role collect; better in DESIGN_TOKEN
  --account URL          the account host
  --email E              account that signs in; or ACCOUNT_EMAIL
  --password-stdin       read the account's password from standard input; or ACCOUNT_PASSWORD
  --pages a,b            only these pages: ${PAGES.map(({ name }) => name).join(', ')}
  --langs ko,en          only these languages
  --viewports a,b        only these viewports: desktop, mobile
  --wait SECONDS         wait so long while another agent's run is open (0)
  --replay-wait SECONDS  wait so long for the replay (600)
  --json                 print one JSON value at the end, and nothing else

CHROMIUM names the browser; without it, it is /usr/bin/chromium.
`;

type Environment = Readonly<Record<string, string | undefined>>;

const urlOf = (name: string, value: string): string => {
  const url = URL.parse(value);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new UsageError(`${name} takes an http(s) URL.`);
  return url.href.replace(/\/+$/, '');
};

/** The entries of a list with commas; every known one without a list. */
const chosen = <T extends string>(name: string, list: string | undefined, known: readonly T[]): T[] => {
  if (list === undefined) return [...known];
  const names = list.split(',');
  const other = names.find((one) => !known.includes(one as T));
  if (other !== undefined) throw new UsageError(`${name} takes ${known.join(', ')}; it does not know "${other}".`);
  return known.filter((one) => names.includes(one));
};

const secondsOf = (name: string, value: string): number => {
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`${name} takes a number of seconds.`);
  return Number(value);
};

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        design: { type: 'string' },
        token: { type: 'string' },
        account: { type: 'string' },
        email: { type: 'string' },
        'password-stdin': { type: 'boolean', default: false },
        pages: { type: 'string' },
        langs: { type: 'string' },
        viewports: { type: 'string' },
        wait: { type: 'string', default: '0' },
        'replay-wait': { type: 'string', default: '600' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** Reads arguments and environment; null if the usage is asked for. Throws UsageError. */
export const readOptions = async (args: readonly string[], env: Environment): Promise<Options | null> => {
  const given = parsed(args);
  if (given.help) return null;
  if (given.design === undefined) throw new UsageError('Name the design host: --design URL.');
  const token = given.token ?? env['DESIGN_TOKEN'];
  if (!token) throw new UsageError('Give the token of a collecting agent: DESIGN_TOKEN or --token.');
  const names = chosen(
    '--pages',
    given.pages,
    PAGES.map(({ name }) => name),
  );
  const pages = PAGES.filter(({ name, host }) => {
    return names.includes(name) && (given.account !== undefined || given.pages !== undefined || host === 'design');
  });
  return {
    design: urlOf('--design', given.design),
    token,
    account: await accountOf(given, pages, env),
    pages,
    langs: chosen('--langs', given.langs, LANGS),
    viewports: chosen('--viewports', given.viewports, Object.keys(VIEWPORTS) as Viewport[]),
    chromium: env['CHROMIUM'] || '/usr/bin/chromium',
    waitSeconds: secondsOf('--wait', given.wait),
    replaySeconds: secondsOf('--replay-wait', given['replay-wait']),
    json: given.json,
  };
};

const accountOf = async (
  given: ReturnType<typeof parsed>,
  pages: readonly PageToCollect[],
  env: Environment,
): Promise<Options['account']> => {
  if (!pages.some(({ host }) => host === 'account')) return null;
  if (given.account === undefined) throw new UsageError('Name the account host: --account URL.');
  const url = urlOf('--account', given.account);
  const email = given.email ?? env['ACCOUNT_EMAIL'];
  const typed = given['password-stdin'] ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
  const password = typed ?? env['ACCOUNT_PASSWORD'];
  if (!email) throw new UsageError('Name the account to sign in: --email E.');
  if (!password) throw new UsageError('Give the password of the account: --password-stdin or ACCOUNT_PASSWORD.');
  return { url, email, password };
};
