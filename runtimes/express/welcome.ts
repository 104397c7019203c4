import type { Host } from '../../ports/inbound/hosts.ts';
import type { Config } from '../configuration/config.ts';
import { isInstalled } from '../configuration/installation.ts';
import { BUILT_IN } from '../engines/built-in.ts';
import { shownPlace } from '../engines/kinds.ts';
import { type Demo, isEmpty, type Shop } from './shop.ts';

/** A string as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command line of a checkout, or of an installed package. */
const program = (): string => (isInstalled() ? 'npx account-service' : 'npm run -s cli --');

/**
 * The operator's command line for the started store, with the variables that name the store. `own` is that of a team's
 * program; without it, a store on a team's own engine has a placeholder. If ACCOUNT_SERVICE_CLI names a command, it
 * already knows the variables.
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

/** A command and its purpose. */
type Step = readonly [command: string, use: string];

/** Commands, each below a comment with its purpose. */
const lines = (steps: readonly Step[]): string => steps.map(([command, use]) => `  # ${use}\n  ${command}`).join('\n');

/** The text for an empty store: its name may be mistyped, or it waits for a shop. */
const emptyAdvice = (cli: string, place: string): string => `
This store is empty: ${place} has no products and no accounts.
If that is a surprise, look for a mistake in its name. Otherwise add products in the console, or by commands:

${lines([
  [`${cli} import my-store.json`, 'your products; import --schema prints the form of the document'],
  [`${cli} account add --email buyer@example.com --password`, 'an account; asks for its password'],
  [`${cli} grant --account ID --product PRODUCT`, 'gives the account a product'],
  [`${cli} key create --account ID --name laptop`, 'a key, which is shown once'],
  [`${cli} doctor`, 'lists everything that is still missing'],
])}

SAMPLE_STORE=always loads the sample store instead.
`;

/** The commands that add products and accounts that the store lacks. */
const firstSteps = (cli: string, { account_id, product }: Shop): readonly Step[] => {
  if (product === null) return [[`${cli} import my-store.json`, 'your products; the store has none yet']];
  if (account_id !== null) return [[`${cli} account list`, 'the accounts']];
  return [
    [`${cli} account add --email buyer@example.com --password`, 'an account; the store has none yet'],
    [`${cli} grant --account ID --product ${product}`, 'gives the account a product'],
  ];
};

/** The way from the invented shop to one of one's own. */
const OWN_SHOP = `
This shop is invented. For one of your own, stop the server and start it with DATA_DIR=my-shop SAMPLE_STORE=never.
`;

/** The text for a store with data. Its commands name an existing account and product. */
const filledAdvice = (cli: string, shop: Shop): string => {
  const account = shop.account_id ?? 'ID';
  const found = shop.isSample
    ? `This is the sample store of an earlier start; account ${account} is its demo account.`
    : 'This store has data already.';
  return `
${found} A key is shown only when it is created. Next:

${lines([
  ...firstSteps(cli, shop),
  [`${cli} key create --account ${account} --name mine`, 'a key; --help lists the abilities to give it'],
])}
${shop.isSample ? OWN_SHOP : ''}`;
};

type Urls = Readonly<Record<Host, string>>;

const PLATFORM = `${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
const SHA256_CHECK = process.platform === 'darwin' ? 'shasum -a 256 -c' : 'sha256sum -c';

const field = (name: string): string => `$(node -p 'require("/tmp/plan.json").data.${name}')`;

/** The example runs only in a checkout, because Node runs no TypeScript in node_modules. */
const collector = ({ design, account }: Urls, { agentToken, email, password }: Demo): string => `
  # fill the gallery with the pages of the demo account (needs Chromium)
  # export DESIGN_TOKEN=${agentToken} ACCOUNT_EMAIL=${email} ACCOUNT_PASSWORD=${password}
  # npx --no -- node examples/collector/main.ts --design ${design} --account ${account}
`;

const commands = (urls: Urls, demo: Demo, installed: boolean): string => {
  const { api } = urls;
  const { key, product_id } = demo;
  return `
Try it (each block can be pasted as it is):

  export ACCOUNT_API_KEY=${key}
  auth="Authorization: Bearer $ACCOUNT_API_KEY"

  # list what the account owns
  curl -sS -H "$auth" ${api}/api/library |
    node -p 'JSON.parse(fs.readFileSync(0)).items.map((item) => item.product.id + "  " + item.product.name).join("\\n")'

  # plan an install, download it by its signed URL, compare the sha256
  curl -sS -H "$auth" "${api}/api/products/${product_id}/install?platform=${PLATFORM}" -o /tmp/plan.json
  curl -sS "${field('download_url')}" -o /tmp/hashcheck
  echo "${field('sha256')}  /tmp/hashcheck" | ${SHA256_CHECK}
  sh /tmp/hashcheck --version

  # check the license on four devices; the license allows three, so the fourth gets 409
  for device in one two three four; do
    curl -sS -w '\\n%{http_code}\\n' -H "$auth" -H 'Content-Type: application/json' \\
      -d "{\\"product_id\\": ${product_id}, \\"device_id\\": \\"$device\\"}" ${api}/api/license/check
  done

  # upload a day's usage twice; the second replaces the first
  for try in 1 2; do
    curl -sS -w '\\n' -H "$auth" -H 'Content-Type: application/json' ${api}/api/device/usage \\
      -d "{\\"consent\\": true, \\"days\\": [{\\"product_id\\": ${product_id}, \\"usage_date\\": \\"$(date -u +%F)\\", \\"launches\\": 3}]}"
  done

  # list the tools that an agent gets with this key (MCP)
  curl -sS -H "$auth" -H 'Content-Type: application/json' ${api}/api/mcp \\
    -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' |
    node -p 'JSON.parse(fs.readFileSync(0)).result.tools.map((tool) => tool.name).join(", ")'

  # connect Claude Code to them; docs/agents.md has other clients
  # claude mcp add --transport http account ${api}/api/mcp --header "$auth"
${installed ? '' : collector(urls, demo)}`;
};

/** The store that a start found, and what the start did. */
export type StartFacts = {
  /** The address of the legacy host, if there is one. */
  readonly legacy: string | undefined;
  /** The address of the metrics, if they are measured. */
  readonly metrics: string | undefined;
  /** The page that makes the first member of the shop; null once it has one. */
  readonly setup: string | null;
  /** The demo account, if this start loaded the sample store. */
  readonly demo: Demo | null;
  /** The store as the start found it. */
  readonly shop: Shop;
  /** The operator's command line for this store. */
  readonly cli: string;
  /** True if the package is installed in a project, which can't run the programs of a checkout. */
  readonly installed: boolean;
  /** The location of the store for people, such as "DATA_DIR .data". */
  readonly place: string;
  /** True if only this machine can reach the server, and no proxy on it lets others in. */
  readonly alone: boolean;
};

const ALONE = `
Only this machine reaches these ports; LISTEN_ADDRESS=0.0.0.0 opens them to others.
`;

/** The link works for anybody who has it, so the text goes only to the operator. */
const setupAdvice = (link: string | null): string =>
  link === null
    ? ''
    : `
Nobody runs this shop in its console yet. Whoever opens this link first, within a day, does:

  ${link}
`;

const advice = ({ demo, shop, cli, place, installed }: StartFacts, urls: Urls): string => {
  if (demo) {
    return `
  Demo account  ${demo.email}, password ${demo.password}
  API key       ${demo.key}
                (account-wide, with every ability; calls that need a key bound to one product answer 403.
                It is shown only now, for the store keeps only its hash)
${OWN_SHOP}${commands(urls, demo, installed)}`;
  }
  return isEmpty(shop) ? emptyAdvice(cli, place) : filledAdvice(cli, shop);
};

/** The text on standard output after the start. The log does not have it, and the key is not shown again. */
export const welcome = (urls: Urls, started: StartFacts): string => `
The account service is running.

  Account API   ${urls.api}
  Reference     ${urls.api}/docs
  OpenAPI       ${urls.api}/openapi.json
  Agents (MCP)  ${urls.api}/api/mcp
  Design host   ${urls.design}  (the gallery)
  App host      ${urls.app}${started.demo ? `\n  Update feed   ${urls.app}/distribution/v1/products/${started.demo.appId}/appcast.xml` : ''}
  Shop host     ${urls.shop}  (the console of those who run the shop, and their systems)
  Sign-in       ${urls.account}${started.legacy === undefined ? '' : `\n  Legacy host   ${started.legacy}`}${started.metrics === undefined ? '' : `\n  Metrics       ${started.metrics}`}
${started.alone ? ALONE : ''}${setupAdvice(started.setup)}${advice(started, urls)}
Stop it with Ctrl+C.
`;
