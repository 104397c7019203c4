import type { Command } from 'commander';
import type { Instant } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onOperations } from './command.ts';
import { operatorPermit } from './operator.ts';
import { facts } from './print.ts';
import { count, id, MOMENT_HELP, moment, PRODUCT_HELP, productName } from './values.ts';

type Options = {
  json?: boolean;
  account: number;
  product: string;
  deviceLimit?: number;
  accessExpires?: Instant;
  updatesUntil?: Instant;
};

const grant = (options: Options): Answered =>
  onOperations(async (service) => {
    const product = await service.get('findProduct').execute(options.product);
    if (!product.ok) return product;
    const granted = await service.get('grantEntitlement').execute(operatorPermit('grant'), {
      account_id: options.account,
      product_id: product.value.id,
      device_limit: options.deviceLimit ?? null,
      access_expires_at: options.accessExpires ?? null,
      updates_supported_until: options.updatesUntil ?? null,
    });
    if (!granted.ok) return granted;
    const { value } = granted;
    return ok({
      json: value,
      text: facts([
        ['entitlement', value.id],
        ['account', value.account_id],
        ['product', value.product_id],
        ['devices', value.device_limit ?? 'as the product says'],
        ['access until', value.access_expires_at ?? 'for good'],
        ['updates until', value.updates_supported_until ?? 'for good'],
      ]),
    });
  });

export const grantCommand = (program: Command): void => {
  leaf(program, 'grant', 'entitle an account to a product outside any order; each run adds one more entitlement')
    .requiredOption('--account <id>', 'account that gets the entitlement', id)
    .requiredOption('--product <product>', PRODUCT_HELP, productName)
    .option('--device-limit <number>', 'most devices; the product’s own limit if left out', count)
    .option('--access-expires <date>', `end of access, later than now: ${MOMENT_HELP}`, moment)
    .option('--updates-until <date>', `last release date covered, which may be in the past: ${MOMENT_HELP}`, moment)
    .action((options: Options) => answer(options, () => grant(options)));
};
