import type { Command } from 'commander';
import type { ListedRun } from '../../application/design/collect/runs.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { addCommand, answerFrom, onService, operatorPermit, runsOn } from './command.ts';
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
  const group = program.command('collect').description('collect runs of design agents');
  addCommand(group, 'list', 'list the runs of all agents, newest first')
    .option('--limit <number>', `maximum number of runs to list, from 1 to ${MOST_ROWS}`, rows, NEWEST)
    .action(
      runsOn(onService, async (service, { limit }: { limit: number }) =>
        answerFrom(ok(await service.get('listRuns')(limit)), runsText),
      ),
    );
  addCommand(group, 'show', 'show a run in full, with the first problems of its replay')
    .argument('<run>', 'id of the run', id)
    .action(
      runsOn(onService, async (service, named: number) =>
        answerFrom(await service.get('showRun').forOperator(named), undefined, ({ run }) => run),
      ),
    );
  addCommand(group, 'replay', 'queue the replay of a submitted run again')
    .argument('<run>', 'id of the run', id)
    .action(
      runsOn(onService, async (service, run: number) =>
        answerFrom(
          await service.get('requeueRun')(operatorPermit(), run),
          () => `The replay of run ${run} is queued; the server runs it.`,
          ({ state }) => ({ id: run, state }),
        ),
      ),
    );
};
