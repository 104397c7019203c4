import type { Command } from 'commander';
import type { RevokedGrant } from '../../application/operations/revoke-grant.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { GrantExtension } from '../../domain/licensing/grant-change.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onBuyers, onOperations } from './command.ts';
import { confirmed } from './confirm.ts';
import { operatorPermit } from './operator.ts';
import { facts, table } from './print.ts';
import {
  account,
  count,
  countOrProduct,
  id,
  MOMENT_HELP,
  moment,
  momentOrNever,
  PRODUCT_HELP,
  productName,
} from './values.ts';

type Options = { json?: boolean; account: number };
type GrantOptions = Options & {
  product: string;
  deviceLimit?: number;
  accessExpires?: Instant;
  updatesUntil?: Instant;
};
type RevokeOptions = Options & { yes?: boolean };
type ExtendOptions = Options & {
  accessExpires?: Instant | 'never';
  updatesUntil?: Instant | 'never';
  deviceLimit?: number | 'product';
};

const terms = ({ id: grantId, account_id, product_id, ...value }: Entitlement): string =>
  facts([
    ['entitlement', grantId],
    ['account', account_id],
    ['product', product_id],
    ['devices', value.device_limit ?? 'as the product says'],
    ['access until', value.access_expires_at ?? 'for good'],
    ['updates until', value.updates_supported_until ?? 'for good'],
  ]);

const grant = (options: GrantOptions): Answered =>
  onOperations(async (service) => {
    const product = await service.get('findProduct')(options.product);
    if (!product.ok) return product;
    const granted = await service.get('grantEntitlement')(operatorPermit('grant'), {
      account_id: options.account,
      product_id: product.value.id,
      device_limit: options.deviceLimit ?? null,
      access_expires_at: options.accessExpires ?? null,
      updates_supported_until: options.updatesUntil ?? null,
    });
    return granted.ok ? ok({ json: granted.value, text: terms(granted.value) }) : granted;
  });

const list = (account: number): Answered =>
  onBuyers(async (service) => {
    const listed = await service.get('listGrants')(account);
    if (!listed.ok) return listed;
    const rows = listed.value.map((row) => [
      row.id,
      row.kind,
      row.products.join(', '),
      row.status,
      row.why,
      row.granted_at,
      row.revoked_at ?? row.access_expires_at,
      row.updates_supported_until,
    ]);
    const headings = ['id', 'kind', 'product', 'state', 'because of', 'since', 'until', 'updates until'];
    const text =
      rows.length === 0 ? `Account ${account} holds no entitlement and no subscription.` : table(headings, rows);
    return ok({ json: listed.value, text });
  });

const names = (products: readonly Product[]): string => products.map(({ slug }) => slug).join(', ');

/** The sentences about what an account may use after a revocation. */
const reach = ({ entitlement: { account_id }, usable, unusable }: RevokedGrant): string =>
  [
    ...(unusable.length > 0 ? [`Account ${account_id} may no longer use ${names(unusable)}.`] : []),
    ...(usable.length > 0 ? [`Other grants still give it ${names(usable)}.`] : []),
  ].join(' ');

const revoke = (grantId: number, { account, ...options }: RevokeOptions): Answered =>
  onBuyers(async (service) => {
    const permit = operatorPermit('grant revoke');
    const input = { account_id: account, id: grantId };
    const tried = await service.get('revokeGrant')(permit, { ...input, trial: true });
    if (!tried.ok) return tried;
    if (tried.value.result === 'revoked') {
      const confirmation = await confirmed(options, `Entitlement ${grantId} ends for good. ${reach(tried.value)}`);
      if (!confirmation.ok) return confirmation;
    }
    const done = await service.get('revokeGrant')(permit, input);
    if (!done.ok) return done;
    const { entitlement, result } = done.value;
    const is =
      result === 'unchanged'
        ? `Nothing changed: entitlement ${grantId} was revoked at ${entitlement.revoked_at}.`
        : `Entitlement ${grantId} is revoked. ${reach(done.value)}`;
    return ok({ json: { ...entitlement, result }, text: is });
  });

const extensionOf = ({ accessExpires, updatesUntil, deviceLimit }: ExtendOptions): GrantExtension => ({
  ...(accessExpires !== undefined && { access_expires_at: accessExpires === 'never' ? null : accessExpires }),
  ...(updatesUntil !== undefined && { updates_supported_until: updatesUntil === 'never' ? null : updatesUntil }),
  ...(deviceLimit !== undefined && { device_limit: deviceLimit === 'product' ? null : deviceLimit }),
});

const extend = (grantId: number, options: ExtendOptions): Answered =>
  onBuyers(async (service) => {
    const done = await service.get('extendGrant')(operatorPermit('grant extend'), {
      account_id: options.account,
      id: grantId,
      extension: extensionOf(options),
    });
    if (!done.ok) return done;
    const { entitlement, result } = done.value;
    const same = result === 'unchanged' ? 'Nothing changed: the entitlement has these terms already.\n\n' : '';
    return ok({ json: { ...entitlement, result }, text: `${same}${terms(entitlement)}` });
  });

/** Names the command that a group runs by itself, whose options its help does not list. */
const GROUP_HELP = `
Without a command, "grant --account <id-or-email> --product <product>" entitles
an account, as "grant add" does, whose help lists its options.`;

const EXTEND_HELP = `
Terms are only ever extended. An entitlement that a store document names takes
the document's terms again when that is imported.`;

const onGrant = (group: Command, name: string, description: string): Command =>
  leaf(group, name, description)
    .argument('<id>', 'id of the entitlement, as "grant list" shows it', id)
    .requiredOption('--account <id-or-email>', 'account that holds the entitlement', account);

export const grantCommands = (program: Command): void => {
  const group = program
    .command('grant')
    .description('the entitlements of buyers; without a command, entitle an account to a product')
    .addHelpText('after', GROUP_HELP);
  const add = 'entitle an account to a product without an order; each run adds another entitlement';
  leaf(group, 'add', add, { isDefault: true })
    .requiredOption('--account <id-or-email>', 'account that gets the entitlement', account)
    .requiredOption('--product <product>', PRODUCT_HELP, productName)
    .option('--device-limit <number>', 'device limit; default: the product’s limit', count)
    .option('--access-expires <date>', `end of access, later than now: ${MOMENT_HELP}`, moment)
    .option('--updates-until <date>', `last release date covered, which may be in the past: ${MOMENT_HELP}`, moment)
    .action((options: GrantOptions) => answer(options, () => grant(options)));
  leaf(group, 'list', 'list the entitlements and subscriptions of an account with their states and why it has them')
    .requiredOption('--account <id-or-email>', 'account whose grants to list', account)
    .action((options: Options) => answer(options, () => list(options.account)));
  onGrant(group, 'revoke', 'revoke an entitlement for good, effective with the next request')
    .option('--yes', 'do not ask for confirmation')
    .action((grantId: number, options: RevokeOptions) => answer(options, () => revoke(grantId, options)));
  const extending = onGrant(group, 'extend', 'give an entitlement a later end, later updates or more devices')
    .option('--access-expires <date>', `end of access: never, or ${MOMENT_HELP}`, momentOrNever)
    .option('--updates-until <date>', `last release date covered: never, or ${MOMENT_HELP}`, momentOrNever)
    .option('--device-limit <number>', 'most devices of each unit, or "product" for the product’s own', countOrProduct)
    .addHelpText('after', EXTEND_HELP);
  extending.action((grantId: number, options: ExtendOptions) => {
    if (Object.keys(extensionOf(options)).length === 0) {
      extending.error("error: name what to extend: '--access-expires', '--updates-until' or '--device-limit'");
    }
    return answer(options, () => extend(grantId, options));
  });
};
