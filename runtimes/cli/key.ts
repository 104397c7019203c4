import { type Command, Option } from 'commander';
import {
  ABILITIES,
  type Ability,
  DEVICE_KEY_ABILITIES,
  PERSONAL_KEY_ABILITIES,
} from '../../domain/access/abilities.ts';
import { isLive } from '../../domain/access/api-key.ts';
import { AGENT_ROLES, TOKEN_ROLES } from '../../domain/access/principal.ts';
import { EARLIER_ENDS, type EarlierEnd, importParts } from '../../domain/licensing/earlier-license.ts';
import { KEYS_IN_ANSWER, MOST_BATCH_KEYS } from '../../domain/licensing/key-batch.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { type Instant, toInstant } from '../../domain/shared/instant.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { oneLine } from '../configuration/installation.ts';
import { ask, confirmed, firstLine, isTerminal, ownTerminal } from './ask.ts';
import { addCommand, answerFrom, calls, lists, onNewShop, onShop, runsOn, wrapped } from './command.ts';
import { facts, plain, table, tableOf } from './print.ts';
import { type AnswerOf, type EntryOf, productSlugs } from './send.ts';
import {
  abilities,
  account,
  batchAndKeys,
  count,
  deviceId,
  id,
  line,
  MOMENT_HELP,
  moment,
  PRODUCT_HELP,
  productName,
  upTo,
} from './values.ts';

type CreateOptions = {
  account: number;
  mail?: true;
  license?: true;
  name: string;
  abilities?: Ability[];
  product?: string;
  expires?: Instant;
  client?: string;
  device?: string;
  deviceName?: string;
};

type BatchOptions = {
  product: string;
  count: number;
  batch?: string;
  accessDays?: number;
  updatesDays?: number;
  deviceLimit?: number;
  edition?: string;
  addTo?: { readonly batch: number; readonly after: number };
  csv?: true;
  json?: true;
};

type ShownKey = AnswerOf<'revokeApiKey'>;
type CreatedKey = AnswerOf<'createApiKey'>;

/** A key as lists show it, without its hashes, as in the answers of endpoints. */
const view = (key: ShownKey) => ({ ...key, live: isLive(key, toInstant(Date.now())) });

const keyFacts = ({ value, key, replaced }: CreatedKey): string =>
  `Key ${key.id}, shown this once:\n\n  ${value}\n\n${facts({ account: key.account_id, name: key.name, abilities: key.abilities.join(', '), product: key.product_id ?? 'any', expires: key.expires_at ?? 'never', replaced: replaced ? `key ${replaced.id}, ${replaced.prefix}… (${replaced.name}), which is revoked` : undefined })}`;

const create = runsOn(onShop, async ({ send }, options: CreateOptions) => {
  const { account, name, client, device, deviceName } = options;
  const product = options.product === undefined ? null : await send('findProduct', { named: options.product });
  if (product?.ok === false) return product;
  return answerFrom(
    await send('createApiKey', {
      account,
      name,
      product_id: product?.value.id,
      expires_at: options.expires,
      abilities: options.abilities,
      device: client === undefined || device === undefined ? null : { client, device_id: device, name: deviceName },
    }),
    keyFacts,
    ({ value, key, replaced }) => ({ ...view(key), key: value, replaced: replaced && view(replaced) }),
  );
});

const hasKey = ({ id: keyId, prefix }: ShownKey): string =>
  `Nothing changed: the buyer already has the license key ${prefix}… To replace it, run "key revoke ${keyId}" first.`;

const createLicense = calls('createLicenseKey', {
  text: ({ key, value }) =>
    key === null
      ? 'The license key will be mailed.'
      : value === null
        ? hasKey(key)
        : keyFacts({ key, value, replaced: null }),
  json: ({ key, value }, { account }) =>
    key === null ? { account_id: account, mailed: true } : { ...view(key), key: value },
});

type Batch = AnswerOf<'createKeyBatch'>['batch'];

/** Makes the keys a thousand at a time, and prints each thousand as it comes, except as JSON. */
const createBatch = runsOn(onShop, async ({ send }, options: BatchOptions) => {
  const { product, count, batch: name, accessDays, updatesDays, deviceLimit, edition, csv, json } = options;
  const terms = { access_days: accessDays, updates_days: updatesDays, device_limit: deviceLimit, edition };
  const all: string[] = [];
  let [made, add_to] = [0, options.addTo ?? null];
  for (;;) {
    const body = { product, name: name ?? 'License keys', ...terms, count: Math.min(KEYS_IN_ANSWER, count - made) };
    const answer = await send('createKeyBatch', { ...body, add_to }).catch((error) =>
      refuse('failed', { message: oneLine(error) }),
    );
    if (!answer.ok) {
      const { batch = 'BATCH', after = 0 } = add_to ?? {};
      const way = `--add-to ${batch}:${after} --count ${count - made}`;
      const rest = `\nThe output has ${countOf(made, 'key')}. Run the command again with ${way} for the others; "key batches" lists the batches.`;
      return answer.code === 'failed' || made > 0 ? { ...answer, message: `${answer.message}${rest}` } : answer;
    }
    const { batch, keys } = answer.value;
    const head = csv ? 'key' : `Batch ${batch.id} has these license keys, shown this once:\n`;
    const text = [...(add_to ? [] : [head]), ...keys].join('\n');
    made += keys.length;
    add_to = { batch: batch.id, after: batch.count };
    if (json) all.push(...keys);
    if (made >= count) return ok({ json: { batch, keys: all }, text });
    if (!json) process.stdout.write(`${text}\n`);
  }
});

const batchesText = (batches: readonly Batch[], slugs: ReadonlyMap<number | null, string>): string => {
  const product = ({ product_id }: Batch) => slugs.get(product_id) ?? product_id;
  return tableOf<Batch>('id', 'name', { product }, 'unused', 'claimed', 'revoked', 'created_at')(batches);
};

const revokeBatch = runsOn(onShop, async ({ send }, batch: number, options: { claimed?: true; yes?: true }) => {
  const claimed = options.claimed ?? false;
  const tried = await send('revokeKeyBatch', { batch, trial: true });
  if (!tried.ok) return tried;
  const { batch: before, claims } = tried.value;
  const used = claims.map(({ account_id }) => account_id).join(', ');
  const more = before.claimed > claims.length ? ' and others' : '';
  const also = claimed && before.claimed > 0 ? `, and the licenses of accounts ${used}${more}` : '';
  const asked = await confirmed(options, `Batch ${batch} (${before.name}) loses ${before.unused} unused keys${also}.`);
  if (!asked.ok) return answerFrom(asked);
  for (;;) {
    const revoked = await send('revokeKeyBatch', { batch, claimed });
    if (revoked.ok && claimed && revoked.value.batch.claimed > 0) continue;
    return answerFrom(
      revoked,
      ({ batch: now }) => `Batch ${batch} is revoked: ${now.revoked} keys; ${now.claimed} stay in use.`,
    );
  }
});

const BILLING_IS_WHOLE =
  'orders.read and subscriptions.read cover the billing of the whole account, even for a key with --product.';

const ABILITIES_HELP = wrapped(`
Abilities: ${ABILITIES.join(', ')}.

With --license it is the license key of a product, for every device of the license, unless the buyer has one already. With --count it makes license keys for people who are not known yet: the first use binds a key to an account, and its days count from then.

Without --abilities a key has ${PERSONAL_KEY_ABILITIES.join(', ')}; a device sign-in key has ${DEVICE_KEY_ABILITIES.join(', ')}.

${BILLING_IS_WHOLE}`);

/** The options that a license key does not accept, because the license determines them. */
const NOT_OF_LICENSES = ['name', 'abilities', 'expires', 'client', 'device', 'deviceName'];

const BATCH_OPTIONS = ['batch', 'accessDays', 'updatesDays', 'deviceLimit', 'edition', 'addTo', 'csv'] as const;

const createCommand = (group: Command): void => {
  const command = addCommand(group, 'create', 'create a key; its value is shown once')
    .option('--account <id-or-email>', 'account that the key belongs to; needed without --count', account)
    .option('--name <name>', 'name of the key; needed without --license', line)
    .addOption(new Option('--license', 'create the license key of a product').conflicts(NOT_OF_LICENSES))
    .option('--mail', 'with --license: mail the key to the buyer instead of showing it')
    .addOption(
      new Option('--count <number>', 'with --license: make this many keys for nobody yet, up to 10000')
        .argParser(upTo(MOST_BATCH_KEYS))
        .conflicts(['account', 'mail']),
    )
    .option('--batch <name>', 'with --count: what the keys are for', line)
    .option('--access-days <number>', 'with --count: days of access from the first use', count)
    .option('--updates-days <number>', 'with --count: days from the first use whose releases are covered', count)
    .option('--device-limit <number>', 'with --count: devices of each key', count)
    .option('--edition <name>', 'with --count: edition of the product', line)
    .option('--add-to <batch:keys>', 'with --count: go on with a batch of which you have this many keys', batchAndKeys)
    .option('--csv', 'with --count: print a CSV file')
    .option('--abilities <names>', 'comma-separated abilities; default: those listed below', abilities)
    .option('--product <product>', `bind the key to one product: ${PRODUCT_HELP}`, productName)
    .option('--expires <date>', `end of the key: ${MOMENT_HELP}`, moment)
    .option('--client <name>', 'make the key a device sign-in key of this client software', line)
    .option('--device <id>', 'device id that the client sends', deviceId)
    .option('--device-name <name>', 'display name of the device', line)
    .addHelpText('after', ABILITIES_HELP);
  command.action((options: CreateOptions & Partial<BatchOptions>, ...more: unknown[]) => {
    const { product } = options;
    if (options.license && product === undefined) command.error("error: option '--license' needs '--product'");
    if (options.count !== undefined) {
      if (!options.license) command.error("error: option '--count' needs '--license'");
      return createBatch({ ...options, product: product as string, count: options.count });
    }
    if (BATCH_OPTIONS.some((name) => options[name] !== undefined))
      command.error("error: options of a batch need '--count'");
    if (options.account === undefined) command.error("error: required option '--account <id-or-email>' not specified");
    if (options.mail && !options.license) command.error("error: option '--mail' needs '--license'");
    if (options.license) return createLicense(options, ...more);
    if (options.name === undefined) command.error("error: required option '--name <name>' not specified");
    if ((options.client === undefined) !== (options.device === undefined)) {
      command.error("error: options '--client' and '--device' go together");
    }
    if (options.deviceName !== undefined && options.device === undefined) {
      command.error("error: option '--device-name' needs '--client' and '--device'");
    }
    return create(options);
  });
};

const keysText = tableOf<ReturnType<typeof view>>(
  'id',
  { begins: 'prefix' },
  'name',
  {
    state: ({ live, revoked_at }) => (live ? 'live' : revoked_at === null ? 'expired' : 'revoked'),
    product: ({ product_id }) => product_id ?? 'any',
  },
  'last_used_at',
);

/** The text of a key, typed on a terminal without echo or piped in. It is never printed. */
const keyText = async (terminal = ownTerminal()): Promise<string> => {
  const typed = isTerminal(terminal)
    ? ((await ask(['Key: '], { hidden: true }, terminal))?.[0] ?? '')
    : await firstLine(terminal.input);
  return typed?.trim() ?? '';
};

const revoke = runsOn(onShop, async (service, key: number | undefined) => {
  const leaked = key === undefined ? await keyText() : '';
  if (key === undefined && leaked === '')
    return refuse('no_key', { message: 'Nothing changed, because no key was typed.' });
  const revoked =
    key === undefined
      ? await service.send('revokeLeakedKey', { key: leaked })
      : await service.send('revokeApiKey', { key });
  if (!revoked.ok) return revoked;
  const { id: keyId, account_id, prefix } = revoked.value;
  if (account_id === null) {
    return ok({ json: revoked.value, text: `Key ${keyId} (${prefix}…) is revoked. It was of a batch, and unused.` });
  }
  const listed = await service.list('listApiKeys', { account: account_id });
  const keys = (listed.ok ? listed.value : []).map(view);
  const now = keys.find((key) => key.id === keyId) ?? view({ ...revoked.value, account_id });
  const live = keys.filter((key) => key.live).length;
  const result = revoked.value.revoked_at === null ? 'revoked' : 'unchanged';
  const is = result === 'revoked' ? 'is revoked' : 'was revoked already';
  const slots =
    now.device === null
      ? ''
      : ` It was issued to device ${now.device.device_id}, which keeps the slots that it holds; "device release" frees one.`;
  const open = ` Account ${account_id} has ${live === 0 ? 'no other live key' : countOf(live, 'other live key')}.`;
  return ok({ json: { ...now, result }, text: `Key ${keyId} (${now.prefix}…) ${is}.${slots}${open}` });
});

type ImportOptions = { product: string; expires: EarlierEnd };

const importKeys = runsOn(onShop, async ({ send }, file: string, options: ImportOptions) => {
  const [{ readLicenses }, product] = await Promise.all([
    import('../files/read-rows.ts'),
    send('findProduct', { named: options.product }),
  ]);
  if (!product.ok) return product;
  const read = await readLicenses(file, options.expires);
  if (!read.ok) return read;
  const { left_out, refused } = read.value;
  const sum = { created: 0, unchanged: 0, left_out, refused: [...refused] };
  for (const licenses of importParts(read.value.licenses)) {
    const imported = await send('importLicenseKeys', { named: options.product, licenses });
    if (!imported.ok) return imported;
    sum.created += imported.value.created;
    sum.unchanged += imported.value.unchanged;
    sum.refused.push(...imported.value.refused);
  }
  sum.refused.sort((a, b) => a.line - b.line);
  const counts = [sum.created, sum.unchanged, left_out, sum.refused.length];
  const lines = sum.refused.map(({ line: n, message }) => plain(`Line ${n} ${message}`));
  const text = [table(['created', 'unchanged', 'left out', 'refused'], [counts]), ...lines].join('\n');
  return ok({ json: sum, text, failed: lines.length > 0 });
});

const IMPORT_HELP = wrapped(`
The file is an export of Gumroad (sales), Lemon Squeezy or Keygen, or any CSV with the columns key and email; name, created_at, expires_at, updates_until, activation_limit and quantity may stand beside them. A date is written as 2027-01-31, which ends with that day in UTC, or as 2027-01-31T12:00:00Z. Each buyer gets the product, and the old key works as its license key. A row that was imported before changes nothing. A key of too few characters is refused.`);

export const keyCommands = (program: Command): void => {
  const group = program.command('key').description('API keys');
  createCommand(group);
  addCommand(group, 'list', 'list the keys of an account, live or recently ended')
    .requiredOption('--account <id-or-email>', 'account whose keys to list', account)
    .action(lists('listApiKeys', { text: (all) => keysText(all.map(view)), json: (all) => all.map(view) }));
  addCommand(group, 'batches', 'list the license keys that were made in advance, by batch').action(
    runsOn(onShop, async (service) => {
      const slugs = await productSlugs(service);
      return answerFrom(await service.list('listKeyBatches', {}), (batches) => batchesText(batches, slugs));
    }),
  );
  addCommand(group, 'revoke-batch', 'revoke the unused license keys of a batch')
    .argument('<batch>', 'the batch’s id', id)
    .option('--claimed', 'revoke the keys in use too, with the licenses that they brought')
    .option('--yes', 'do not ask for confirmation')
    .action(revokeBatch);
  addCommand(group, 'import', 'import the license keys of an earlier system for a product')
    .argument('<file>', 'a CSV file with the keys and their buyers’ addresses')
    .requiredOption('--product <product>', `the product that the keys are for: ${PRODUCT_HELP}`, productName)
    .addOption(
      new Option('--expires <what>', 'what expires_at ends: the license, or only its updates')
        .choices(EARLIER_ENDS)
        .default('access'),
    )
    .addHelpText('after', IMPORT_HELP)
    .action(importKeys);
  const revoking = addCommand(
    group,
    'revoke',
    'revoke a key and the keys of its bulk activation, effective with the next request',
  )
    .argument('[id]', 'the key’s id', id)
    .option('--stdin', 'read a leaked key from standard input; it is never shown');
  revoking.action((keyId: number | undefined, options: { stdin?: true }) => {
    if ((keyId === undefined) !== (options.stdin === true))
      revoking.error("error: name the key by its id or '--stdin'");
    return revoke(keyId, options);
  });
};

const tokensText = tableOf<EntryOf<'listAgentTokens'>>('id', { begins: 'prefix' }, 'role', 'name', 'created_at');

const tokenFacts = ({ id: token, value, role, name }: AnswerOf<'createAgentToken'>): string =>
  `Agent token ${token}, shown this once:\n\n  ${value}\n\n${facts({ role, name })}`;

export const agentTokenCommands = (program: Command): void => {
  const group = program.command('agent-token').description('tokens of design agents and of the shop’s own systems');
  addCommand(group, 'create', 'create a token; its value is shown once')
    .addOption(
      new Option(
        '--role <role>',
        `what it may do: ${AGENT_ROLES.join(', ')} on the design host, the others on the shop host`,
      )
        .choices(TOKEN_ROLES)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'name of the agent or of the shop’s system', line)
    .action(
      calls('createAgentToken', {
        on: onNewShop,
        text: tokenFacts,
        json: ({ id: token, value, role, name }) => ({ id: token, token: value, role, name }),
      }),
    );
  addCommand(group, 'list', 'list the live tokens').action(lists('listAgentTokens', { text: tokensText }));
  addCommand(group, 'revoke', 'revoke a token, effective with the next request')
    .argument('<token>', 'the token’s id', id)
    .action(calls('revokeAgentToken', { text: (_, { token }) => `Agent token ${token} is revoked.` }));
};
