import { type Command, Option } from 'commander';
import type { ChangedRelease } from '../../application/operations/change-release.ts';
import type { ListedRelease } from '../../application/operations/products.ts';
import { CHANNELS, type Channel } from '../../domain/delivery/channel.ts';
import type { ReleaseChange } from '../../domain/delivery/publishing.ts';
import { releaseState } from '../../domain/delivery/release.ts';
import { type Instant, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { confirmed } from './ask.ts';
import { does, leaf, onOperations, operatorPermit, shown } from './command.ts';
import { tableOf } from './print.ts';
import { line, OFFSET_MOMENT_HELP, offsetMoment, PRODUCT_HELP, productName } from './values.ts';

/** The sentence about the versions that the clients of a channel are offered in place of a release, or with it. */
const offeredOn = (channel: Channel, offered: ChangedRelease['offered'], are: 'are' | 'would be' = 'are'): string => {
  const versions = [...new Set(offered.map(({ version }) => version))];
  const [only = null] = versions;
  const what =
    versions.length > 1
      ? offered.map(({ platform, version }) => `${version ?? 'nothing'} for ${platform ?? 'any'}`).join(', ')
      : (only ?? 'nothing');
  return `Buyers on channel ${channel} ${are} offered ${what}.`;
};

/** The sentences about the channel of a release, and about the channel that it left. */
const offers = ({ release, offered, left }: ChangedRelease, are?: 'would be'): string =>
  [offeredOn(release.channel, offered, are), ...(left ? [offeredOn(left.channel, left.offered, are)] : [])].join(' ');

/** The sentences about the versions between which Sparkle leads copies back once the release is gone from a channel. */
const ledBack = ({ led_back }: ChangedRelease, leads: 'leads' | 'would lead' = 'leads'): string =>
  led_back
    .map(
      ({ newer, older }) =>
        ` Sparkle ${leads} copies of version ${newer.version} back to version ${older.version}, because its build ${older.build} is above ${newer.build}: publish a later version in the channel ${newer.channel} with a build above ${older.build}, or withdraw version ${newer.version}.`,
    )
    .join('');

const state = (changed: ChangedRelease): string => {
  const { release, product } = changed;
  const name = `Version ${release.version} of ${product.slug}`;
  switch (releaseState(release, toInstant(Date.now()))) {
    case 'withdrawn':
      return `${name} is withdrawn. ${offers(changed)}`;
    case 'scheduled':
      return `${name} is on channel ${release.channel} and is offered from ${release.released_at} on.`;
    case 'offered':
      return `${name} is offered on channel ${release.channel} since ${release.released_at}. ${offers(changed)}`;
  }
};

/** The sentence that says which version the operator's text stands for; empty where they are the same. */
const versionNote = (requested: string, { release }: ChangedRelease): string =>
  requested === release.version ? '' : `"${requested}" is version ${release.version}. `;

/** The versions of the pairs, for JSON. */
const pairs = ({ led_back }: ChangedRelease) =>
  led_back.map(({ newer, older }) => ({ from: newer.version, to: older.version }));

const shownAs = (requested: string, outcome: Outcome<ChangedRelease, string>) =>
  shown(
    outcome,
    (changed) =>
      `${versionNote(requested, changed)}${changed.result === 'unchanged' ? 'Nothing changed. ' : ''}${state(changed)}${ledBack(changed)}`,
    (changed) => ({
      ...changed.release,
      requested_version: requested,
      result: changed.result,
      offered: changed.offered,
      led_back: pairs(changed),
    }),
  );

/** The action that changes a release: `wish` makes the change of the command's options. */
const change = <Options>(wish: (options: Options) => ReleaseChange) =>
  does(onOperations, async (service, product: string, version: string, options: Options) => {
    const made = wish(options);
    const input = { product, version, change: made };
    return shownAs(version, await service.get('changeRelease')(operatorPermit(`release ${made.kind}`), input));
  });

type WithdrawOptions = { reason: string; yes?: boolean; dryRun?: boolean };

/** The sentence about a withdrawal that has not been made. */
const wouldWithdraw = (requested: string, changed: ChangedRelease): string =>
  `${versionNote(requested, changed)}Version ${changed.release.version} of ${changed.product.slug} would be withdrawn. ${offers(changed, 'would be')}${ledBack(changed, 'would lead')}`;

const withdraw = does(onOperations, async (service, product: string, version: string, options: WithdrawOptions) => {
  const wish = { product, version, change: { kind: 'withdraw', reason: options.reason } } as const;
  const permit = operatorPermit('release withdraw');
  const tried = await service.get('changeRelease')(permit, { ...wish, trial: true });
  if (!tried.ok || tried.value.result === 'unchanged') return shownAs(version, tried);
  const would = wouldWithdraw(version, tried.value);
  const { offered, release } = tried.value;
  if (options.dryRun) {
    const led_back = pairs(tried.value);
    const json = { version: release.version, requested_version: version, result: 'dry_run', offered, led_back };
    return ok({ json, text: `Nothing has changed. ${would}` });
  }
  const confirmation = await confirmed(options, would, { data: { offered } });
  return confirmation.ok ? shownAs(version, await service.get('changeRelease')(permit, wish)) : confirmation;
});

const releasesText = tableOf<ListedRelease>({
  id: 'id',
  version: 'version',
  build: 'build',
  channel: 'channel',
  state: 'state',
  released: 'released_at',
  files: ({ artifacts }) => artifacts.map(({ platform }) => platform ?? 'any').join(', '),
  'withdrawn because': ({ withdrawn }) => withdrawn?.reason ?? null,
});

const changing = (group: Command, name: string, description: string): Command =>
  leaf(group, name, description)
    .argument('<product>', PRODUCT_HELP, productName)
    .argument('<version>', 'version of the release', line);

export const releaseCommands = (program: Command): void => {
  const group = program.command('release').description('published releases');
  leaf(group, 'list', 'list all releases of a product, newest first, with their states')
    .argument('<product>', PRODUCT_HELP, productName)
    .action(
      does(onOperations, async (service, product: string) =>
        shown(await service.get('listProductReleases')(product), releasesText),
      ),
    );
  changing(group, 'withdraw', 'withdraw a release: nobody is offered it, installed copies keep running')
    .requiredOption('--reason <text>', 'a sentence for the buyers who ask for this release', line)
    .option('--yes', 'do not ask for confirmation')
    .option('--dry-run', 'change nothing, and say what buyers would be offered')
    .action(withdraw);
  changing(group, 'restore', 'offer a withdrawn release again').action(change(() => ({ kind: 'restore' })));
  changing(group, 'move', 'move a release to another channel')
    .addOption(new Option('--channel <channel>', 'the channel to move it to').choices(CHANNELS).makeOptionMandatory())
    .action(change(({ channel }: { channel: Channel }) => ({ kind: 'move', channel })));
  changing(group, 'schedule', 'set the moment of a release that is not out yet')
    .requiredOption('--released-at <moment>', OFFSET_MOMENT_HELP, offsetMoment)
    .action(change(({ releasedAt }: { releasedAt: Instant }) => ({ kind: 'schedule', released_at: releasedAt })));
};
