import type { Command } from 'commander';
import { PLATFORMS, productPlatforms } from '../../domain/catalog/platform.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { CHANNELS } from '../../domain/delivery/channel.ts';
import { MOST_USAGE_DAYS, USAGE_DAYS } from '../../domain/devices/usage.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { inLocale } from '../../domain/shared/locale.ts';
import { addCommand, calls, lists } from './command.ts';
import { facts, moneyText, plain, table, tableOf } from './print.ts';
import type { AnswerOf, EntryOf } from './send.ts';
import { account, PRODUCT_HELP, productName, usageDays } from './values.ts';

const nameOf = ({ name }: Pick<Product, 'name'>): string => inLocale(name, 'en') ?? '';

const stateOf = ({ active, published }: Pick<Product, 'active' | 'published'>): string =>
  published ? (active ? 'on sale' : 'off sale') : 'hidden';

/** The platforms under the names that `publish --platform` accepts. */
const platformsText = (product: Parameters<typeof productPlatforms>[0]): string => {
  const platforms = productPlatforms(product);
  return platforms.length === PLATFORMS.length ? 'any' : platforms.join(', ') || '-';
};

const newestText = (newest: ListedProduct['newest']): string =>
  CHANNELS.flatMap((channel) => (newest[channel] === null ? [] : [`${channel} ${newest[channel]}`])).join(', ') || '-';

type ListedProduct = EntryOf<'listShopProducts'>;

const listText = (listed: readonly ListedProduct[], sold: boolean): string =>
  tableOf<ListedProduct>({
    id: ({ product }) => product.id,
    slug: ({ product }) => product.slug,
    name: ({ product }) => nameOf(product),
    state: ({ product }) => stateOf(product),
    platforms: ({ product }) => platformsText(product),
    newest: ({ newest }) => newestText(newest),
    ...(sold && {
      sold: ({ sales }: ListedProduct) => sales?.sold ?? 0,
      owners: ({ sales }: ListedProduct) => sales?.owners ?? 0,
    }),
  })(listed);

/** The sentence about a part that a product lacks, with the next step. */
const gapText = (gap: DescribedProduct['gaps'][number], { slug }: Pick<Product, 'slug'>): string => {
  switch (gap.gap) {
    case 'no_release':
      return `No release is offered; run: publish ${slug} FILE --version 1.0.0`;
    case 'platforms':
      return `No release has a file for ${gap.platforms?.join(', ')}; publish one with --platform.`;
    case 'not_in_feed':
      return 'No release is in the appcast; publish one for macOS with --build.';
    case 'empty_bundle':
      return 'The bundle has no products; import it with product_ids.';
    case 'no_content':
      return 'The detail page is empty; write a detail_html, or import the product with content.';
    case 'no_price':
      return 'No price of a connected payment provider names the product; add one to its prices.';
    case 'no_provider':
      return 'No payment provider is connected; set its webhook secret, such as STRIPE_WEBHOOK_SECRET.';
    case 'no_signing_key':
      return 'No key signs the client policy; run: signing-key create';
    case 'no_shop_name':
      return 'The shop has no name; set it in the storefront.';
    case 'no_withdrawal_terms':
      return 'The shop has no withdrawal terms, which many countries require; set them in the storefront.';
    case 'hidden':
      return 'Only its owners see the product; import it with "published": true to show it to everybody.';
    case 'off_sale':
      return 'The product is not listed; import it with "active": true to sell it.';
  }
};

type DescribedProduct = AnswerOf<'describeProduct'>;

const releasesText = tableOf<DescribedProduct['releases'][number]>('version', 'channel', 'state', 'released_at', {
  files: ({ artifacts }) => artifacts.map(({ platform }) => platform ?? 'any').join(', '),
});

const showText = (described: DescribedProduct): string => {
  const { product, releases, in_bundles, brings, gaps, feed } = described;
  const more = described.release_count - releases.length;
  return [
    facts({
      product: product.id,
      slug: product.slug,
      name: nameOf(product),
      type: product.type,
      state: stateOf(product),
      price: moneyText(product.unit_price_cents, product.currency),
      devices: product.device_limit ?? 'any number',
      editions: (product as Product).editions?.map(({ name }) => name).join(', '),
      'shared devices': product.shared_devices,
      'uncovered versions': product.uncovered_versions,
      platforms: platformsText(product),
      versions: product.version_scheme,
      'delivered as': product.delivery.strategy,
      newest: newestText(described.newest),
      appcast: feed === null ? 'none' : `for ${feed === 'public' ? 'everybody' : 'its owners'}`,
      'bundle id': product.bundle_id,
      'in bundles': in_bundles.map(({ id, name }) => `${id} ${inLocale(name, 'en') ?? ''}`).join(', ') || null,
      brings: brings?.join(', '),
      'detail page': described.has_content ? 'filled' : 'empty',
    }),
    ...(releases.length === 0 ? [] : ['', releasesText(releases)]),
    ...(more > 0 ? [`and ${more} older; "release list ${product.slug}" shows all`] : []),
    ...(gaps.length === 0 ? [] : ['', 'next', ...gaps.map((gap) => `  ${gapText(gap, product)}`)]),
  ].join('\n');
};

export const productCommands = (program: Command): void => {
  const group = program.command('product').description('products of the catalog');
  addCommand(group, 'list', 'list all products, including hidden ones, with the newest version of each channel')
    .option('--sold', 'count units sold (minus refunds) and current owners; this reads every account of the shop')
    .action(
      lists('listShopProducts', {
        slow: true,
        text: (listed, { sold }) => listText(listed, sold === true),
        json: (listed) => listed.map(({ product, newest, sales }) => ({ ...product, newest, ...sales })),
      }),
    );
  addCommand(group, 'show', 'show a product, its releases, its bundles, and what it still lacks')
    .argument('<product>', PRODUCT_HELP, productName)
    .action(calls('describeProduct', { text: showText }));
};

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * A bar of Unicode blocks, exact to an eighth of a block. The greatest value has `width` blocks. Every nonzero value is
 * visible.
 */
export const bar = (value: number, greatest: number, width: number): string => {
  if (value <= 0 || greatest <= 0) return '';
  const eighths = Math.max(1, Math.round((value / greatest) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
};

const BAR_WIDTH = 30;

const usageText = ({ days }: AnswerOf<'showUsage'>): string => {
  const greatest = Math.max(...days.map(({ launches }) => launches));
  const sum = days.reduce((all, { launches }) => all + launches, 0);
  const rows = days.map(({ date, launches, accounts, keys }) => [
    date,
    launches,
    accounts,
    keys,
    bar(launches, greatest, BAR_WIDTH),
  ]);
  const said = `${table(['day', 'launches', 'accounts', 'devices', ''], rows)}\n\n${countOf(sum, 'launch', 'launches')} in ${countOf(days.length, 'day')}`;
  const commands = days.flatMap(({ date, commands }) =>
    Object.entries(commands).map(([name, count]) => [date, plain(name), count]),
  );
  return commands.length === 0 ? said : `${said}\n\n${table(['day', 'command', 'calls'], commands)}`;
};

type Versions = AnswerOf<'listVersionsInUse'>;

const versionsText = ({ since, products }: Versions): string =>
  products
    .map(({ slug, devices, versions, others }) => {
      const all = [...versions, ...(others > 0 ? [{ version: 'others', devices: others }] : [])];
      const greatest = Math.max(...all.map((one) => one.devices));
      const rows = all.map((one) => [one.version, one.devices, bar(one.devices, greatest, BAR_WIDTH)]);
      return `${slug}: ${countOf(devices, 'device')} since ${since}\n${table(['version', 'devices', ''], rows)}`;
    })
    .join('\n\n') || `No device was seen since ${since}.`;

const USAGE_HELP = `
Applications report their use only where the buyer agrees. Days are those of
UTC. Without --account this reads every account of the shop.`;

export const usageCommands = (program: Command): void => {
  const group = program.command('usage').description('usage reported by applications');
  addCommand(group, 'versions', 'show the versions on the devices of the last 30 days, by product')
    .option('--product <product>', `only this product: ${PRODUCT_HELP}`, productName)
    .action(calls('listVersionsInUse', { text: versionsText }));
  const command = addCommand(group, 'show', 'show a chart of the launches of a product or an account, day by day')
    .option('--product <product>', `only this product: ${PRODUCT_HELP}`, productName)
    .option('--account <id-or-email>', 'only this account', account)
    .option('--days <number>', `days up to today, from 1 to ${MOST_USAGE_DAYS}`, usageDays, USAGE_DAYS)
    .addHelpText('after', USAGE_HELP);
  command.action((...args: unknown[]) => {
    const { product, account: named } = command.opts();
    if ((product ?? named) === undefined) command.error("error: name '--product', '--account' or both");
    return calls('showUsage', { slow: true, text: usageText })(...args);
  });
};
