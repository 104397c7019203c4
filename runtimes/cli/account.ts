import type { Command } from 'commander';
import type { WayIn } from '../../application/sign-in/ways-in.ts';
import { MOST_PER_MINUTE } from '../../domain/accounts/account.ts';
import { type ErasureCounts, GOES, type GoingKind, STAYS, type StayingKind } from '../../domain/accounts/erasure.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { judgeNewPassword, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../domain/sign-in/password-rules.ts';
import { ask, confirmed, firstLine, isTerminal, ownTerminal, type Terminal } from './ask.ts';
import {
  type AnswerOutcome,
  addCommand,
  answer,
  answerAnywhere,
  answerFrom,
  calls,
  lists,
  onNewShop,
  onService,
  onShop,
  operatorPermit,
  runsOn,
} from './command.ts';
import { facts, printed, table, tableOf } from './print.ts';
import type { AnswerOf } from './send.ts';
import { ACCOUNT_HELP, account, address, line, upTo } from './values.ts';

/** `password` is a string only if somebody gave the option a value, which is refused. */
type PasswordOptions = { readonly password?: string | true; readonly passwordStdin?: true };

type ResetOptions = PasswordOptions & { readonly passkeys?: true };

const SEEN =
  "error: option '--password' takes no value, which other users would see in the list of processes and your shell would keep in its history; leave the value out to be asked for it, or pipe it in with '--password-stdin'";

/** Adds the two ways of giving a command a password. Neither takes the password as an argument. */
const withPasswordOptions = (command: Command): Command =>
  command
    .option('--password [value]', `ask for a password, ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`)
    .option('--password-stdin', 'read the password from the first line of standard input')
    .configureHelp({ optionTerm: ({ flags }) => flags.replace(' [value]', '') });

/**
 * Ends the command as wrong usage if its arguments have a password, or both ways are used together. Never prints the
 * password.
 */
const checkPasswordOptions = (command: Command, { password, passwordStdin }: PasswordOptions): void => {
  if (typeof password === 'string') command.error(SEEN);
  if (password && passwordStdin) command.error("error: give either '--password' or '--password-stdin'");
};

const prompted = async (terminal: Terminal): Promise<Outcome<string, string>> => {
  if (!isTerminal(terminal)) {
    return refuse('no_terminal', {
      message: 'There is no terminal on which to ask for the password; pipe it in with --password-stdin.',
    });
  }
  const typed = await ask(['Password: ', 'Again: '], { hidden: true }, terminal);
  if (typed === null) return refuse('no_password', { message: 'Nothing changed, because no password was typed.' });
  const [first = '', second] = typed;
  return first === second ? ok(first) : refuse('passwords_differ', { message: 'The two passwords differ; try again.' });
};

const piped = async ({ input }: Terminal): Promise<Outcome<string, string>> => {
  const line = await firstLine(input);
  return line === null
    ? refuse('no_password', { message: 'Standard input is empty; its first line must be the password.' })
    : ok(line);
};

/** The password, from standard input or typed twice on a terminal, depending on the options. */
export const readPassword = async (
  { passwordStdin }: PasswordOptions,
  terminal = ownTerminal(),
): Promise<Outcome<string, string>> => {
  const password = await (passwordStdin ? piped(terminal) : prompted(terminal));
  if (!password.ok) return password;
  const judged = judgeNewPassword(password.value);
  return judged.ok ? password : judged;
};

/** An account as text for one screen. */
const accountText = ({ products, ...account }: AnswerOf<'showAccount'>): string =>
  printed({
    ...account,
    products: products.map(({ installed, ...product }) => ({
      ...product,
      installed: installed && `${installed.version} on ${installed.installed_at.slice(0, 10)}`,
    })),
  });

const accountsText = tableOf<ReturnType<typeof view>>('id', 'email', 'name', 'created_at');

const kindsOf = <K extends string>(kinds: Readonly<Record<K, unknown>>): K[] => Object.keys(kinds) as K[];

/** The counts of an erasure as text: what is deleted, and what stays and why. */
const erasureText = ({ goes, stays }: ErasureCounts): string => {
  const going = kindsOf<GoingKind>(GOES).map((kind) => [goes[kind], GOES[kind]]);
  const staying = kindsOf<StayingKind>(STAYS).map((kind) => [stays[kind], STAYS[kind].what, STAYS[kind].why]);
  return `${table(['count', 'goes'], going)}\n\n${table(['count', 'stays', 'because'], staying)}`;
};

type Options = { json?: boolean };

type Shown = AnswerOf<'addAccount'>;

const view = ({ id, email, name, created_at }: Shown) => ({ id, email, name, created_at });

type AddOptions = Options & PasswordOptions & { email: string; name?: string };

const add = async (options: AddOptions): AnswerOutcome => {
  const { email, name = null } = options;
  const wantsPassword = Boolean(options.password ?? options.passwordStdin);
  const password = wantsPassword ? await readPassword(options) : ok(null);
  if (!password.ok) return password;
  return onNewShop(async ({ get, send }) => {
    const without = (id: number) =>
      wantsPassword ? '' : `\n\nNo password was set; "account password --account ${id}" sets one.`;
    return answerFrom(
      // Tokens must not handle account passwords, so the endpoint takes none.
      wantsPassword
        ? await get('addAccount')(operatorPermit(), { email, name, password: password.value })
        : await send('addAccount', { email, name }),
      (account) => `${printed(view(account))}${without(account.id)}`,
      view,
    );
  });
};

const addAccountCommand = (group: Command): void => {
  const command = addCommand(group, 'add', 'create an account')
    .requiredOption('--email <address>', 'email address that no other account has', address)
    .option('--name <name>', 'name of the owner', line);
  withPasswordOptions(command).action(async (options: AddOptions) => {
    checkPasswordOptions(command, options);
    await answerAnywhere(options, () => add(options));
  });
};

const resetPassword = async (accountId: number, options: ResetOptions): AnswerOutcome => {
  const password = await readPassword(options);
  if (!password.ok) return password;
  return onService(async (service) => {
    const input = { account_id: accountId, password: password.value, passkeys: options.passkeys ?? false };
    const reset = await service.get('resetPassword')(operatorPermit(), input);
    if (!reset.ok) return reset;
    const { browsers, passkeys } = reset.value;
    const listed = await service.get('listWaysIn')(accountId);
    const count = (way: WayIn['way']) => (listed.ok ? listed.value : []).filter((one) => one.way === way).length;
    const stays = {
      passkeys: count('passkey'),
      live_keys: count('key'),
      license_keys: count('license_key'),
      apps: count('app'),
      providers: count('provider'),
    };
    const left = `${countOf(stays.passkeys, 'passkey')}, ${countOf(stays.live_keys, 'key')}, ${countOf(stays.license_keys, 'license key')}, ${countOf(stays.apps, 'connected application')} and ${countOf(stays.providers, 'provider’s identity', 'provider’s identities')} stay; "account lock-out ${accountId}" ends them all.`;
    return ok({
      json: { account_id: accountId, password: 'set', ended: { browsers, passkeys }, ...stays },
      text: `Account ${accountId} has a new password. ${countOf(browsers, 'browser')} signed out, ${countOf(passkeys, 'passkey')} removed; its one-time links no longer work. ${left}`,
    });
  });
};

const waysInText = tableOf<AnswerOf<'listWaysIn'>['ways_in'][number]>('way', 'id', 'name', 'since');

const LOCKED_OUT =
  'Every way into the account ends, including the password: passkeys, browsers, keys, license keys, applications and links. Offline applications run until their license tokens expire; signed links work for 15 minutes, feed links for a day.';

const lockOut = runsOn(onShop, async ({ send }, account: number, options: { yes?: boolean }) => {
  const confirmation = await confirmed(options, LOCKED_OUT);
  if (!confirmation.ok) return confirmation;
  const locked = await send('lockOut', { account });
  const found = await send('showAccount', { account });
  const email = found.ok ? found.value.email : null;
  return answerFrom(
    locked,
    ({ ended }) =>
      `Account ${account} is locked out; its owner can sign in with "account link --account ${account}" or by a link mailed to ${email}. If a thief set that address, restore the owner's: "account rename ${account} --email ADDRESS".\n\n${waysInText(ended)}`,
    ({ ended }) => ({ account_id: account, email, ended }),
  );
});

const passwordCommand = (group: Command): void => {
  const command = addCommand(
    group,
    'password',
    'set the password of an account, sign its browsers out, and end its one-time links',
  )
    .requiredOption('--account <id-or-email>', ACCOUNT_HELP, account)
    .option('--passkeys', 'also remove its passkeys');
  withPasswordOptions(command).action((options: Options & ResetOptions & { account: number }) => {
    checkPasswordOptions(command, options);
    return answer(options, () => resetPassword(options.account, options));
  });
};

type RenameOptions = { email?: string; name?: string };

const renameCommand = (group: Command): void => {
  const command = addCommand(
    group,
    'rename',
    'change the email address or the name of an account; sign-ins and keys stay',
  )
    .argument('<account>', ACCOUNT_HELP, account)
    .option('--email <address>', 'new email address for signing in; the old one is free again', address)
    .option('--name <name>', 'new name of the owner', line);
  command.action((...args: unknown[]) => {
    const { email, name } = command.opts<RenameOptions>();
    if (email === undefined && name === undefined) command.error("error: name what to change: '--email' or '--name'");
    return calls('renameAccount', {
      text: ({ account, result }) =>
        `${result === 'unchanged' ? 'Nothing changed: the account already has this address and name.\n\n' : ''}${printed(view(account))}`,
      json: ({ account, result }) => ({ ...view(account), result }),
    })(...args);
  });
};

/** A request that passed its guards before the erasure may still write; no request takes longer than a day. */
const ONCE_MORE = `

Run the same command once more tomorrow: a request that was under way may have written
behind the erasure, such as a day of usage, and the second run removes it.`;

const SUSPENDED =
  'None of its keys, sessions and tokens works, and its license checks answer entitlement_revoked. An offline application runs until its license token expires.';

const suspend = (suspended: boolean) =>
  calls('suspendAccount', {
    fields: () => ({ suspended }),
    text: ({ account, result }) => {
      const is = suspended ? `is suspended since ${account.suspended_at}. ${SUSPENDED}` : 'is open.';
      return `${result === 'unchanged' ? 'Nothing changed. ' : ''}Account ${account.id} ${is}`;
    },
    json: ({ account, result }) => ({ ...view(account), suspended_at: account.suspended_at ?? null, result }),
  });

const perMinute = (text: string) => (text === 'default' ? null : upTo(MOST_PER_MINUTE)(text));

const limit = calls('limitAccount', {
  fields: ({ requests }) => ({ requests_per_minute: requests }),
  text: ({ result }, { account, requests }) => {
    const now =
      requests === null ? 'has the default limit' : `may send ${countOf(Number(requests), 'request')} a minute`;
    return `${result === 'limited' ? '' : 'Nothing changed. '}Account ${account} ${now}, all its keys together.`;
  },
  json: ({ result }, { account, requests }) => ({ account_id: account, requests_per_minute: requests, result }),
});

type EraseOptions = { yes?: boolean; dryRun?: boolean };

const erase = calls('eraseAccount', {
  lossAfter: (_, { account }) =>
    `Account ${account} is erased permanently, with its keys, devices, grants and tickets; --dry-run shows what is deleted and what stays.`,
  lossData: ({ goes, stays }) => ({ goes, stays }),
  text: (erased, { account, dry_run }) => {
    if (dry_run) return `Nothing has changed. Account ${account} would be erased.\n\n${erasureText(erased)}`;
    const [is, more] =
      erased.result === 'erased' ? ['is erased', ONCE_MORE] : ['was erased before; the rest is deleted now', ''];
    return `Account ${account} ${is}.\n\n${erasureText(erased)}${more}`;
  },
  json: (erased, { account }) => ({ account_id: account, ...erased }),
});

const merge = runsOn(onShop, async ({ send }, from: number, named: string, options: EraseOptions) => {
  const found = await send('findAccount', { account: named });
  if (!found.ok) return found;
  const into = found.value.account_id;
  const tried = await send('mergeAccounts', { account: from, into, trial: true });
  if (!tried.ok) return tried;
  const json = { from, into, ...tried.value };
  if (options.dryRun) return ok({ json, text: `Nothing has changed. These would move:\n\n${printed(json)}` });
  const loss = `Account ${from} ends permanently, with its password, passkeys, browsers and applications; --dry-run shows what moves.`;
  const confirmation = await confirmed(options, loss, { data: json });
  if (!confirmation.ok) return confirmation;
  const merged = await send('mergeAccounts', { account: from, into });
  if (!merged.ok) return merged;
  const heir = await send('showAccount', { account: into });
  const products = heir.ok ? heir.value.products : [];
  const over = products.filter((one) => one.devices > (one.device_limit ?? one.devices)).map(({ slug }) => slug);
  const note = over.length === 0 ? '' : ` It has more devices than its limit of ${over.join(', ')}; none was released.`;
  const text = `Account ${from} is merged into account ${into}, and its address leads there.${note}\n\n${printed(json)}`;
  return ok({ json: { ...json, over }, text });
});

const ERASE_HELP = `
Backups and the log of the server keep what they hold: see docs/commands.md. An
erasure that broke off is completed by the same command.`;

export const accountCommands = (program: Command): void => {
  const group = program.command('account').description('accounts');
  addAccountCommand(group);
  addCommand(group, 'list', 'list the accounts').action(
    lists('listAccounts', { text: (all) => accountsText(all.map(view)), json: (all) => all.map(view) }),
  );
  addCommand(group, 'show', 'show an account on one screen: its products, devices, keys, orders and open tickets')
    .argument('<account>', ACCOUNT_HELP, line)
    .action(calls('showAccount', { text: accountText }));
  renameCommand(group);
  addCommand(group, 'suspend', 'block an account: its keys, sessions and tokens stop working until it is reinstated')
    .argument('<account>', ACCOUNT_HELP, account)
    .action(suspend(true));
  addCommand(group, 'reinstate', 'unblock a suspended account: its keys, sessions and applications work again')
    .argument('<account>', ACCOUNT_HELP, account)
    .action(suspend(false));
  addCommand(group, 'limit', 'set the requests that an account may send a minute')
    .argument('<account>', ACCOUNT_HELP, account)
    .argument('<requests>', `a whole number from 1 to ${MOST_PER_MINUTE}, or default`, perMinute)
    .action(limit);
  addCommand(
    group,
    'ways-in',
    'list every way into an account: password, passkeys, browsers, keys, applications, links',
  )
    .argument('<account>', ACCOUNT_HELP, account)
    .action(calls('listWaysIn', { text: ({ ways_in }) => waysInText(ways_in), json: ({ ways_in }) => ways_in }));
  addCommand(group, 'lock-out', 'end every way into an account; its owner signs in again with a link')
    .argument('<account>', ACCOUNT_HELP, account)
    .option('--yes', 'do not ask for confirmation')
    .action(lockOut);
  addCommand(group, 'erase', 'erase an account and everything that the shop has no duty to keep (GDPR, article 17)')
    .argument('<account>', ACCOUNT_HELP, account)
    .option('--yes', 'do not ask for confirmation')
    .option('--dry-run', 'change nothing, and show what would be deleted and what would stay')
    .addHelpText('after', ERASE_HELP)
    .action(erase);
  addCommand(group, 'merge', 'merge an account into another of the same person, with its purchases and its address')
    .argument('<account>', 'the account that ends, by id or email address', account)
    .argument('<into>', 'the account that remains, by id or email address', line)
    .option('--yes', 'do not ask for confirmation')
    .option('--dry-run', 'change nothing, and show what would move')
    .action(merge);
  addCommand(group, 'link', 'create a link that signs the account’s owner in once, within an hour')
    .requiredOption('--account <id-or-email>', ACCOUNT_HELP, account)
    .action(
      calls('createSignInLink', {
        text: ({ url, expires_at, mailed_to }, { account }) =>
          url === null
            ? `A link that signs account ${account} in once was mailed to ${mailed_to}.`
            : `A link that signs account ${account} in once, shown this once:\n\n  ${url}\n\n${facts({ until: expires_at })}`,
        json: ({ url, expires_at, mailed_to }, { account }) => ({
          account_id: account,
          url,
          expires_at,
          ...(mailed_to && { mailed_to }),
        }),
      }),
    );
  passwordCommand(group);
};
