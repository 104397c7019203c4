import type { Command } from 'commander';
import { countOf, plural } from '../../domain/shared/count-of.ts';
import { addCommand, calls, type Named } from './command.ts';
import { plain, tableOf } from './print.ts';
import type { AnswerOf, EntryOf } from './send.ts';
import { account, deviceId, line, PRODUCT_HELP, productName, reason, rows } from './values.ts';

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

const listedText = ({ data, next_after }: AnswerOf<'listAccountDevices'>, { account }: Named): string => {
  const more = next_after === null ? [] : [`More: --after "${plain(next_after)}"`];
  return (
    [...data.map(listing), ...more].join('\n\n') || `Account ${account} has no devices, and no product to use on one.`
  );
};

const deviceText = ({ account, device }: Named): string => `Device ${device} of account ${account}`;

/** The sentence about the keys of a device after its release. */
const keysAfter = ({ keys, product }: ReleasedDevice, { revoke_keys: revoked }: Named): string => {
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

const withdrawal = ({ device_id, slug, released }: WithdrawnDevice, { account }: Named): string =>
  `Device ${device_id} may not run ${slug} in any account.${released ? ` Account ${account} has the slot back.` : ''}`;

const withdrawnText = (done: WithdrawnDevice, named: Named): string =>
  `${withdrawal(done, named)} ${
    done.result === 'unchanged'
      ? 'The client policy had already withdrawn it.'
      : `Applications see this in version ${done.policy_version} of the client policy, and at their next license check.`
  }`;

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
    .action(calls('listAccountDevices', { text: listedText }));
  ofDevice(group, 'release', 'free the slot of a device; its keys stay valid and may take a free slot again')
    .requiredOption('--account <id-or-email>', 'account that the device belongs to', account)
    .option('--offline-too', 'free the slot even if the device has a valid offline file; the file stays valid')
    .option('--revoke-keys', 'also revoke the device’s keys; an account-wide key is revoked for all products')
    .option('--yes', 'do not ask for confirmation')
    .action(
      calls('releaseAccountDevice', {
        lossAfter: (tried, named) =>
          `${deviceText(named)} ${tried.offline_until === null ? `loses its slot of ${tried.product.slug}.` : slotAfter(tried)} ${keysAfter(tried, named)}`,
        text: (released, named) => `${deviceText(named)} ${slotAfter(released)} ${keysAfter(released, named)}`,
        json: ({ device, offline_until, keys, product }, { account, device: device_id, revoke_keys }) => ({
          account_id: account,
          product_id: product.id,
          device_id,
          device,
          released: device !== null && offline_until === null,
          offline_until,
          revoked_keys: revoke_keys ? keys.map((key) => key.id) : [],
          live_keys: revoke_keys ? [] : keys.map((key) => key.id),
        }),
      }),
    );
  ofDevice(group, 'withdraw', 'block a product on a device, in every account, by the client policy')
    .option('--account <id-or-email>', 'account that the device belongs to, whose slot is free at once', account)
    .option(
      '--reason <text>',
      'the reason, only for the audit log; without names or email addresses, because it outlives the account’s erasure',
      reason,
    )
    .option('--yes', 'do not ask for confirmation')
    .action(
      calls('withdrawDevice', {
        lossAfter: (tried, named) => `Within a second: ${withdrawal(tried, named)}`,
        text: withdrawnText,
      }),
    );
  ofDevice(group, 'restore', 'allow a withdrawn device again').action(
    calls('restoreDevice', {
      text: ({ slug, policy_version }, { device }) =>
        `Device ${device} may run ${slug} again, and takes a free slot with its next license check (version ${policy_version} of the client policy).`,
    }),
  );
};
