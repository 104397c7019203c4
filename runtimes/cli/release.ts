import { type Command, Option } from 'commander';
import type { ChangedRelease } from '../../application/operations/change-release.ts';
import type { ListedRelease } from '../../application/operations/list-product-releases.ts';
import { CHANNELS, type Channel } from '../../domain/delivery/channel.ts';
import { releaseState } from '../../domain/delivery/release.ts';
import type { ReleaseChange } from '../../domain/delivery/release-change.ts';
import { type Instant, toInstant } from '../../domain/shared/instant.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onOperations } from './command.ts';
import { operatorPermit } from './operator.ts';
import { table } from './print.ts';
import { line, OFFSET_MOMENT_HELP, offsetMoment, PRODUCT_HELP, productName } from './values.ts';

type Options = { json?: boolean };

/** The sentence about the versions that the clients of a release are offered. */
const offers = ({ release, offered }: ChangedRelease): string => {
  const versions = [...new Set(offered.map(({ version }) => version))];
  const [only = null] = versions;
  const what =
    versions.length > 1
      ? offered.map(({ platform, version }) => `${version ?? 'nothing'} for ${platform ?? 'any'}`).join(', ')
      : (only ?? 'nothing');
  return `Buyers on channel ${release.channel} are offered ${what}.`;
};

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

const shown = (changed: ChangedRelease) =>
  ok({
    json: { ...changed.release, result: changed.result, offered: changed.offered },
    text: `${changed.result === 'unchanged' ? 'Nothing changed. ' : ''}${state(changed)}`,
  });

const change = (product: string, version: string, wish: ReleaseChange): Answered =>
  onOperations(async (service) => {
    const changed = await service
      .get('changeRelease')
      .execute(operatorPermit(`release ${wish.kind}`), { product, version, change: wish });
    return changed.ok ? shown(changed.value) : changed;
  });

const withdraw = (product: string, version: string, options: Options & { reason: string; yes?: boolean }): Answered =>
  options.yes
    ? change(product, version, { kind: 'withdraw', reason: options.reason })
    : onOperations(async (service) => {
        const wish = { kind: 'withdraw', reason: options.reason } as const;
        const tried = await service
          .get('changeRelease')
          .execute(operatorPermit('release withdraw'), { product, version, change: wish, trial: true });
        if (!tried.ok || tried.value.result === 'unchanged') return tried.ok ? shown(tried.value) : tried;
        return refuse('confirmation_needed', {
          message: `Nothing changed yet. With --yes: ${state(tried.value)}`,
          data: { offered: tried.value.offered },
        });
      });

const list = (product: string): Answered =>
  onOperations(async (service) => {
    const listed = await service.get('listProductReleases').execute(product);
    if (!listed.ok) return listed;
    const row = ({ id, version, build, channel, state: is, released_at, artifacts, withdrawn }: ListedRelease) => [
      id,
      version,
      build,
      channel,
      is,
      released_at,
      artifacts.map(({ platform }) => platform ?? 'any').join(', '),
      withdrawn?.reason ?? null,
    ];
    const headings = ['id', 'version', 'build', 'channel', 'state', 'released', 'files', 'withdrawn because'];
    return ok({ json: listed.value, text: table(headings, listed.value.map(row)) });
  });

const changing = (group: Command, name: string, description: string): Command =>
  leaf(group, name, description)
    .argument('<product>', PRODUCT_HELP, productName)
    .argument('<version>', 'version of the release', line);

export const releaseCommands = (program: Command): void => {
  const group = program.command('release').description('published releases');
  leaf(group, 'list', 'list all releases of a product, newest first, with their states')
    .argument('<product>', PRODUCT_HELP, productName)
    .action((product: string, options: Options) => answer(options, () => list(product)));
  changing(group, 'withdraw', 'offer a release to nobody any more; whoever has it keeps running it')
    .requiredOption('--reason <text>', 'a sentence for the buyers who ask for this release', line)
    .option('--yes', 'do it; without this, the command says what buyers would be offered')
    .action((product: string, version: string, options: Options & { reason: string; yes?: boolean }) =>
      answer(options, () => withdraw(product, version, options)),
    );
  changing(group, 'restore', 'offer a withdrawn release again').action(
    (product: string, version: string, options: Options) =>
      answer(options, () => change(product, version, { kind: 'restore' })),
  );
  changing(group, 'move', 'move a release to another channel')
    .addOption(new Option('--channel <channel>', 'the channel to move it to').choices(CHANNELS).makeOptionMandatory())
    .action((product: string, version: string, options: Options & { channel: Channel }) =>
      answer(options, () => change(product, version, { kind: 'move', channel: options.channel })),
    );
  changing(group, 'schedule', 'set the moment of a release that is not out yet')
    .requiredOption('--released-at <moment>', OFFSET_MOMENT_HELP, offsetMoment)
    .action((product: string, version: string, options: Options & { releasedAt: Instant }) =>
      answer(options, () => change(product, version, { kind: 'schedule', released_at: options.releasedAt })),
    );
};
