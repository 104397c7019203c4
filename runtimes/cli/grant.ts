import type { Command } from 'commander';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { addCommand, answerFrom, calls, lists, onShop, runsOn } from './command.ts';
import { printed, tableOf } from './print.ts';
import type { AnswerOf, EntryOf } from './send.ts';
import {
  account,
  count,
  countOrProduct,
  id,
  line,
  MOMENT_HELP,
  moment,
  momentOrNever,
  PRODUCT_HELP,
  productName,
} from './values.ts';

type Terms = { accessExpires?: Instant; updatesUntil?: Instant; deviceLimit?: number };
type GrantOptions = Terms & { account: number; product: string; edition?: string; features?: string };

const grant = runsOn(onShop, async ({ send }, options: GrantOptions) => {
  const { account, product: named, edition, features, accessExpires, updatesUntil, deviceLimit } = options;
  const product = await send('findProduct', { named });
  if (!product.ok) return product;
  const input = {
    account,
    product_id: product.value.id,
    edition,
    features: features?.split(/[\s,]+/).filter(Boolean),
    access_expires_at: accessExpires,
    updates_supported_until: updatesUntil,
    device_limit: deviceLimit,
  };
  return answerFrom(await send('grantEntitlement', input));
});

const grantsText = tableOf<EntryOf<'listGrants'>>('id', 'kind', {
  product: ({ products }) => products.join(', '),
  state: 'status',
  'because of': 'why',
  edition: 'edition',
  units: 'units',
  since: 'granted_at',
  until: ({ revoked_at, access_expires_at }) => revoked_at ?? access_expires_at,
  'updates until': 'updates_supported_until',
});

const names = (products: RevokedGrant['usable']): string => products.map(({ slug }) => slug).join(', ');

type RevokedGrant = AnswerOf<'revokeGrant'>;

/** The sentences about the products that an account may use after a revocation. */
const reach = ({ entitlement: { account_id }, usable, unusable }: RevokedGrant): string =>
  [
    ...(unusable.length > 0 ? [`Account ${account_id} may no longer use ${names(unusable)}.`] : []),
    ...(usable.length > 0 ? [`Other grants still include ${names(usable)}.`] : []),
  ].join(' ');

const alongOf = ({ keys, products }: AnswerOf<'transferGrant'>): string =>
  products.length === 0
    ? 'License keys and devices stay.'
    : `${countOf(keys, 'license key')} and the devices of ${names(products)} go along.`;

const withResult = <E extends object>({
  entitlement,
  result,
}: {
  readonly entitlement: E;
  readonly result: string;
}) => ({
  ...entitlement,
  result,
});

/** Names the default command of a group, because the group's help does not list its options. */
const GROUP_HELP = `
Without a command, "grant --account <id-or-email> --product <product>" entitles
an account, as "grant add" does, whose help lists its options.`;

const EXTEND_HELP = `
Terms are only ever extended. An entitlement that a store document names takes
the document's terms again when that is imported.`;

const onGrant = (group: Command, name: string, description: string): Command =>
  addCommand(group, name, description)
    .argument('<id>', 'id of the entitlement, as "grant list" shows it', id)
    .requiredOption('--account <id-or-email>', 'account that holds the entitlement', account);

export const grantCommands = (program: Command): void => {
  const group = program
    .command('grant')
    .description('the entitlements of buyers; without a command, entitle an account to a product')
    .addHelpText('after', GROUP_HELP);
  const add = 'entitle an account to a product without an order; each run adds another entitlement';
  addCommand(group, 'add', add, { isDefault: true })
    .requiredOption('--account <id-or-email>', 'account that gets the entitlement', account)
    .requiredOption('--product <product>', PRODUCT_HELP, productName)
    .option('--device-limit <number>', 'device limit; default: the product’s limit', count)
    .option('--edition <name>', 'edition of the product; default: its lowest')
    .option('--features <names>', 'features beside those of the edition, with commas')
    .option('--access-expires <date>', `end of access, later than now: ${MOMENT_HELP}`, moment)
    .option('--updates-until <date>', `last release date covered, which may be in the past: ${MOMENT_HELP}`, moment)
    .action(grant);
  addCommand(group, 'list', 'list the entitlements and subscriptions of an account, with their states and sources')
    .requiredOption('--account <id-or-email>', 'account whose grants to list', account)
    .action(
      lists('listGrants', {
        text: (grants, { account }) =>
          grants.length === 0 ? `Account ${account} holds no entitlement and no subscription.` : grantsText(grants),
      }),
    );
  onGrant(group, 'revoke', 'revoke an entitlement permanently, effective with the next request')
    .option('--yes', 'do not ask for confirmation')
    .action(
      calls('revokeGrant', {
        lossAfter: (tried, { id }) =>
          tried.result === 'revoked' ? `Entitlement ${id} ends permanently. ${reach(tried)}` : null,
        text: (revoked, { id }) =>
          revoked.result === 'unchanged'
            ? `Nothing changed: entitlement ${id} was revoked at ${revoked.entitlement.revoked_at}.`
            : `Entitlement ${id} is revoked. ${reach(revoked)}`,
        json: withResult,
      }),
    );
  onGrant(group, 'transfer', 'move an entitlement to another address, with its license keys and devices')
    .requiredOption('--to <email>', 'address that gets it; its account is created if there is none', line)
    .option('--yes', 'do not ask for confirmation')
    .action(
      calls('transferGrant', {
        fields: ({ to }) => ({ email: to }),
        lossAfter: (tried, { id, account, to }) =>
          tried.result === 'unchanged'
            ? null
            : `Entitlement ${id} moves to ${to}. ${alongOf(tried)} The order stays with account ${account}.`,
        text: (moved, { id }) =>
          moved.result === 'unchanged'
            ? `Nothing changed: entitlement ${id} is in account ${moved.account_id} already.`
            : `Entitlement ${id} is in account ${moved.account_id} now. ${alongOf(moved)}`,
      }),
    );
  const extending = onGrant(group, 'extend', 'extend the end, the updates or the devices of an entitlement')
    .option('--access-expires <date>', `end of access: never, or ${MOMENT_HELP}`, momentOrNever)
    .option('--updates-until <date>', `last release date covered: never, or ${MOMENT_HELP}`, momentOrNever)
    .option('--device-limit <number>', 'device limit per unit, or "product" for the product’s own', countOrProduct)
    .addHelpText('after', EXTEND_HELP);
  extending.action((...args: unknown[]) => {
    const { accessExpires, updatesUntil, deviceLimit } = extending.opts<Terms>();
    if ((accessExpires ?? updatesUntil ?? deviceLimit) === undefined) {
      extending.error("error: name what to extend: '--access-expires', '--updates-until' or '--device-limit'");
    }
    return calls('extendGrant', {
      fields: ({ access_expires, updates_until }) => ({
        access_expires_at: access_expires,
        updates_supported_until: updates_until,
      }),
      text: ({ entitlement, result }) =>
        `${result === 'unchanged' ? 'Nothing changed: the entitlement already has these terms.\n\n' : ''}${printed(entitlement)}`,
      json: withResult,
    })(...args);
  });
};
