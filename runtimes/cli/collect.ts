import type { Command } from 'commander';
import type { ListedRun, RunView } from '../../application/collect/runs.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { does, leaf, onService, operatorPermit, shown } from './command.ts';
import { facts, plain, tableOf } from './print.ts';
import { id, MOST_ROWS, rows } from './values.ts';

const NEWEST = 20;

const runsText = tableOf<ListedRun>('id', 'state', { agent: ({ agent }) => agent.name }, 'opened_at', {
  captures: ({ uploads }) => uploads.captures,
  assets: ({ uploads }) => uploads.assets,
  replayed: ({ replay }) => replay && `${replay.done}/${replay.total}`,
  error: ({ error }) => error?.slice(0, 60) ?? null,
});

const runText = ({ problems, replay, ...run }: RunView): string => {
  const head = facts({
    run: run.id,
    state: run.state,
    agent: `${run.agent.id}, ${run.agent.name}`,
    viewports: run.viewports.join(', '),
    languages: run.langs.join(', '),
    apps: run.apps?.join(', ') ?? 'all',
    opened: run.opened_at,
    'lease ends': run.lease_expires_at,
    submitted: run.submitted_at,
    ended: run.ended_at,
    error: run.error,
    builds: run.build_versions?.join(', ') ?? null,
    captures: run.uploads.captures,
    assets: run.uploads.assets,
    ...(replay && {
      replayed: `${replay.done} of ${countOf(replay.total, 'capture')}`,
      screens: `${replay.screens_added} new, ${replay.screens_changed} changed, ${replay.screens_unchanged} as before`,
      skipped: replay.skipped,
      problems: replay.problems,
    }),
  });
  const lines = problems.map(({ capture, code, message }) => `  ${capture}  ${code}  ${plain(message)}`);
  return [head, ...(lines.length > 0 ? ['', 'problems', ...lines] : [])].join('\n');
};

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
        shown(
          await service.get('showRun').forOperator(named),
          ({ run }) => runText(run),
          ({ run }) => run,
        ),
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
