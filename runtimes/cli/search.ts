import type { Command } from 'commander';
import { addCommand, answerFrom, onShop, runsOn } from './command.ts';
import { tableOf } from './print.ts';
import type { AnswerOf } from './send.ts';
import { line } from './values.ts';

const foundText = tableOf<AnswerOf<'searchShop'>['found'][number]>('kind', 'id', 'title', 'account_id', 'provider');

export const searchCommand = (program: Command): void => {
  addCommand(program, 'search', 'find an account, order, subscription, key, ticket, event or product')
    .argument('<text>', 'an address, an id, a number, the prefix of a key, or a name; whole, except names', line)
    .action(
      runsOn(onShop, async ({ send }, text: string) =>
        answerFrom(await send('searchShop', { text }), ({ found }) =>
          found.length === 0 ? 'Nothing has this text.' : foundText(found),
        ),
      ),
    );
};
