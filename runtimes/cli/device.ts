import type { Command } from 'commander';
import { countOf, plural } from '../../domain/shared/count-of.ts';
import { afterTrial } from './ask.ts';
import { addCommand, answerFrom, onShop, runsOn } from './command.ts';
import { plain, tableOf } from './print.ts';
import type { AnswerOf, EntryOf } from './send.ts';
import { account, deviceId, line, PRODUCT_HELP, productName, reason, rows } from './values.ts';

type ListOptions = { account: number; product?: string; limit: number; after?: string };
type ReleaseOptions = {
  account: number;
  product: string;
  revokeKeys?: boolean;
  offlineToo?: boolean;
  yes?: boolean;
};
type WithdrawOptions = { account?: number; product: string; reason?: string; yes?: boolean };

type ListedDevices = EntryOf<'listAccountDevices'>;
type ReleasedDevice = AnswerOf<'releaseAccountDevice'>;
type WithdrawnDevice = AnswerOf<'withdrawDevice'>;

const slotsText = ({ slug, slots, used, limit }: ListedDevices): string => {
  const kind = slots === 'sessions' ? 'session' : 'device';
  return limit === null ? `${slug}: ${countOf(used, kind)}, no limit` : `${slug}: ${used} of ${countOf(limit, kind)}`;
};

const devicesText = tableOf<ListedDevices['devices'][number]>('device_id', 'name', 'activated_at', {
  'last seen': ({ last_seen_at }) => last_seen_at.slice(0, 10),
  state: ({ withdrawn, released_at, shared_at }) =>
    withdrawn ? 'withdrawn' : released_at !== null ? 'released' : shared_at === null ? 'in use' : 'on two machines',
  'offline until': ({ offline_until }) => offline_until?.slice(0, 10) ?? '',
});

const listing = (product: ListedDevices): string =>
  [slotsText(product), ...(product.devices.length === 0 ? [] : [devicesText(product.devices)])].join('\n');

const list = runsOn(onShop, async ({ send }, options: ListOptions) => {
  const none = `Account ${options.account} has no devices, and no product to use on one.`;
  return answerFrom(await send('listAccountDevices', options), ({ data, next_after }) => {
    const more = next_after === null ? [] : [`More: --after "${plain(next_after)}"`];
    return [...data.map(listing), ...more].join('\n\n') || none;
  });
});

/** The sentence about the keys of a device after its release. */
const keysAfter = ({ keys, product }: ReleasedDevice, revoked: boolean): string => {
  const many = keys.length;
  if (many === 0) return 'It has no live key.';
  if (revoked) return `Its ${countOf(many, 'live key')} ${plural(many, 'is', 'are')} revoked.`;
  return `Its ${countOf(many, 'live key')} ${plural(many, 'stays', 'stay')} valid and may take a free slot of ${product.slug} again; --revoke-keys revokes ${plural(many, 'it', 'them')} too.`;
};

/** The sentence about the slot of a released device. */
const slotAfter = ({ offline_until, product: { slug } }: ReleasedDevice): string =>
  offline_until === null
    ? `no longer holds a slot of ${slug}.`
    : `is released, but its offline file keeps its slot of ${slug} until ${offline_until}; --offline-too frees it now.`;

const release = runsOn(
  onShop,
  async ({ send }, device_id: string, { revokeKeys = false, offlineToo = false, ...options }: ReleaseOptions) => {
    const { account, product } = options;
    const input = { account, product, device_id, revoke_keys: revokeKeys, offline_too: offlineToo };
    const done = await afterTrial(
      options,
      (trial) => send('releaseAccountDevice', { ...input, trial }),
      (tried) =>
        `Device ${device_id} of account ${account} ${tried.offline_until === null ? `loses its slot of ${tried.product.slug}.` : slotAfter(tried)} ${keysAfter(tried, revokeKeys)}`,
    );
    return answerFrom(
      done,
      (released) =>
        `Device ${device_id} of account ${account} ${slotAfter(released)} ${keysAfter(released, revokeKeys)}`,
      ({ device, offline_until, keys, product: { id: product_id } }) => ({
        account_id: account,
        product_id,
        device_id,
        device,
        released: device !== null && offline_until === null,
        offline_until,
        revoked_keys: revokeKeys ? keys.map((key) => key.id) : [],
        live_keys: revokeKeys ? [] : keys.map((key) => key.id),
      }),
    );
  },
);

const withdrawal = ({ device_id, slug, released }: WithdrawnDevice, account: number | undefined): string =>
  `Device ${device_id} may not run ${slug} in any account.${released ? ` Account ${account} has the slot back.` : ''}`;

const withdrawnText = (done: WithdrawnDevice, account: number | undefined): string =>
  `${withdrawal(done, account)} ${
    done.result === 'unchanged'
      ? 'The client policy had already withdrawn it.'
      : `Applications see this in version ${done.policy_version} of the client policy, and at their next license check.`
  }`;

const withdraw = runsOn(onShop, async ({ send }, device_id: string, options: WithdrawOptions) => {
  const { account, product, reason } = options;
  const input = { account_id: account, product, device_id, reason };
  const done = await afterTrial(
    options,
    (trial) => send('withdrawDevice', { ...input, trial }),
    (tried) => `Within a second: ${withdrawal(tried, account)}`,
  );
  return answerFrom(done, (withdrawn) => withdrawnText(withdrawn, account));
});

const restore = runsOn(onShop, async ({ send }, device_id: string, { product }: { product: string }) =>
  answerFrom(
    await send('restoreDevice', { product, device_id }),
    ({ slug, policy_version }) =>
      `Device ${device_id} may run ${slug} again, and takes a free slot with its next license check (version ${policy_version} of the client policy).`,
  ),
);

const ofDevice = (group: Command, name: string, description: string): Command =>
  addCommand(group, name, description)
    .argument('<device>', 'id of the device, as "device list" shows it', deviceId)
    .requiredOption('--product <product>', PRODUCT_HELP, productName);

export const deviceCommands = (program: Command): void => {
  const group = program.command('device').description('the devices of buyers');
  addCommand(group, 'list', 'list the devices of an account that hold a slot, by product')
    .requiredOption('--account <id-or-email>', 'account whose devices to list', account)
    .option('--product <product>', `only one product: ${PRODUCT_HELP}`, productName)
    .option('--limit <number>', 'most devices', rows, 100)
    .option('--after <place>', 'continue after the previous page, with the value that it shows', line)
    .action(list);
  ofDevice(group, 'release', 'free the slot of a device; its keys stay valid and may take a free slot again')
    .requiredOption('--account <id-or-email>', 'account that the device belongs to', account)
    .option('--offline-too', 'free the slot even if the device has a valid offline file; the file stays valid')
    .option('--revoke-keys', 'also revoke the device’s keys; an account-wide key is revoked for all products')
    .option('--yes', 'do not ask for confirmation')
    .action(release);
  ofDevice(group, 'withdraw', 'block a product on a device, in every account, by the client policy')
    .option('--account <id-or-email>', 'account that the device belongs to, whose slot is free at once', account)
    .option(
      '--reason <text>',
      'the reason, only for the audit log; without names or email addresses, because it outlives the account’s erasure',
      reason,
    )
    .option('--yes', 'do not ask for confirmation')
    .action(withdraw);
  ofDevice(group, 'restore', 'allow a withdrawn device again').action(restore);
};
