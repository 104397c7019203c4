import type { Command } from 'commander';
import type { ListedEvent } from '../../application/sales/payment-events.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { does, leaf, onService, operatorPermit, shown } from './command.ts';
import { tableOf } from './print.ts';
import { line, MOST_ROWS, rows } from './values.ts';

const NEWEST = 100;

const eventsText = tableOf<ListedEvent>({
  received: 'received_at',
  provider: 'provider',
  id: 'id',
  type: 'type',
  state: 'state',
  reason: 'reason',
});

type ListOptions = { refused?: boolean; limit: number };

const list = does(onService, async (service, { refused = false, limit }: ListOptions) =>
  shown(ok(await service.get('listEvents')({ refused, limit })), eventsText),
);

const replayedText = (events: readonly ListedEvent[]): string =>
  events.length === 0 ? 'No event is refused.' : `${countOf(events.length, 'event')} ran again:\n${eventsText(events)}`;

const HELP = `
An event is refused where the shop has to mend something first: a price that the
store document does not map, a currency, an address. Mend it, import the store
document, and run the event again. Nothing is recorded twice.`;

export const eventCommands = (program: Command): void => {
  const group = program.command('event').description('events of payment providers, which are kept for 30 days');
  leaf(group, 'list', 'list the events that arrived, newest first')
    .option('--refused', 'only events that could not be recorded')
    .option('--limit <number>', `most events to list, from 1 to ${MOST_ROWS}`, rows, NEWEST)
    .action(list);
  const replaying = leaf(group, 'replay', 'run an event again, or all that are refused')
    .argument('[id]', 'the provider’s id of the event, as `event list` shows it', line)
    .option('--refused', 'run all refused events again, oldest first')
    .addHelpText('after', HELP);
  const replay = does(onService, async (service, id: string | undefined) => {
    const wish = id === undefined ? ({ refused: true } as const) : { id };
    return shown(await service.get('replayEvents')(operatorPermit('event replay'), wish), replayedText);
  });
  replaying.action((id: string | undefined, options: { refused?: boolean }, command: Command) => {
    if ((id === undefined) === (options.refused ?? false)) return replay(id, options, command);
    return replaying.error('error: name one event, or give --refused for all refused events');
  });
};
