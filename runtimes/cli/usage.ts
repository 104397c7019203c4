import type { Command } from 'commander';
import type { ShownUsage } from '../../application/operations/products.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { does, leaf, onProducts, shown } from './command.ts';
import { table } from './print.ts';
import { withProgress } from './progress.ts';
import { account, MOST_DAYS, PRODUCT_HELP, productName, usageDays } from './values.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of Unicode blocks, exact to an eighth of a block. The greatest value has `width` blocks. A value has a mark. */
export const bar = (value: number, greatest: number, width: number): string => {
  if (value <= 0 || greatest <= 0) return '';
  const eighths = Math.max(1, Math.round((value / greatest) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
};

type Options = { product?: string; account?: number; days: number };

const DAYS = 30;
const BAR_WIDTH = 30;

const text = ({ days }: ShownUsage): string => {
  const greatest = Math.max(...days.map(({ launches }) => launches));
  const sum = days.reduce((all, { launches }) => all + launches, 0);
  const rows = days.map(({ date, launches, accounts, keys }) => [
    date,
    launches,
    accounts,
    keys,
    bar(launches, greatest, BAR_WIDTH),
  ]);
  return `${table(['day', 'launches', 'accounts', 'devices', ''], rows)}\n\n${countOf(sum, 'launch', 'launches')} in ${countOf(days.length, 'day')}`;
};

const show = does(onProducts, async (service, { product, account: named, days }: Options) => {
  const input = { product: product ?? null, account_id: named ?? null, days };
  return shown(await withProgress((progress) => service.get('showUsage')({ ...input, progress })), text);
});

const HELP = `
Applications report their use only where the buyer agrees. Days are those of
UTC. Without --account this reads every account of the shop.`;

export const usageCommands = (program: Command): void => {
  const group = program.command('usage').description('the use that applications report');
  const command = leaf(group, 'show', 'show the launches of a product or of an account, day by day, with a chart')
    .option('--product <product>', `only this product: ${PRODUCT_HELP}`, productName)
    .option('--account <id-or-email>', 'only this account', account)
    .option('--days <number>', `days up to today, from 1 to ${MOST_DAYS}`, usageDays, DAYS)
    .addHelpText('after', HELP);
  command.action((options: Options) => {
    if (options.product === undefined && options.account === undefined) {
      command.error("error: name '--product', '--account' or both");
    }
    return show(options);
  });
};
