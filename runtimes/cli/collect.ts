import type { Command } from 'commander';
import type { ListedRun } from '../../application/design/collect/runs.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { does, leaf, onService, operatorPermit, shown } from './command.ts';
import { tableOf } from './print.ts';
import { id, MOST_ROWS, rows } from './values.ts';

const NEWEST = 20;

const runsText = tableOf<ListedRun>('id', 'state', { agent: ({ agent }) => agent.name }, 'opened_at', {
  captures: ({ uploads }) => uploads.captures,
  assets: ({ uploads }) => uploads.assets,
  replayed: ({ replay }) => replay && `${replay.done}/${replay.total}`,
  error: ({ error }) => error?.slice(0, 60) ?? null,
});

export const collectCommands = (program: Command): void => {
  const group = program.command('collect').description('runs of the agents that photograph pages');
  leaf(group, 'list', 'list the runs of all agents, newest first')
    .option('--limit <number>', `most runs to list, from 1 to ${MOST_ROWS}`, rows, NEWEST)
    .action(
      does(onService, async (service, { limit }: { limit: number }) =>
        shown(ok(await service.get('listRuns')(limit)), runsText),
      ),
    );
  leaf(group, 'show', 'show a run in full, with the first problems of its replay')
    .argument('<run>', 'id of the run', id)
    .action(
      does(onService, async (service, named: number) =>
        shown(await service.get('showRun').forOperator(named), undefined, ({ run }) => run),
      ),
    );
  leaf(group, 'replay', 'queue the replay of a submitted run once more')
    .argument('<run>', 'id of the run', id)
    .action(
      does(onService, async (service, run: number) =>
        shown(
          await service.get('requeueRun')(operatorPermit('collect replay'), run),
          () => `The replay of run ${run} is queued; the server does it.`,
          ({ state }) => ({ id: run, state }),
        ),
      ),
    );
};
