import type { Command } from 'commander';
import { addCommand, calls } from './command.ts';
import { tableOf } from './print.ts';
import type { AnswerOf } from './send.ts';
import { line } from './values.ts';

const foundText = tableOf<AnswerOf<'searchShop'>['found'][number]>('kind', 'id', 'title', 'account_id', 'provider');

export const searchCommand = (program: Command): void => {
  addCommand(program, 'search', 'find an account, order, subscription, key, device, ticket, event or product')
    .argument(
      '<text>',
      'an address, an id, a number, or a name; or the beginning of an address, a device’s id or a key',
      line,
    )
    .action(
      calls('searchShop', { text: ({ found }) => (found.length === 0 ? 'Nothing has this text.' : foundText(found)) }),
    );
};
