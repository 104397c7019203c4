import { type Command, Option } from 'commander';
import { KIND_PATTERNS } from '../../domain/webhooks/webhook.ts';
import { addCommand, calls, lists } from './command.ts';
import { tableOf } from './print.ts';
import type { AnswerOf, EntryOf } from './send.ts';
import { id, line, MOST_ROWS, rows } from './values.ts';

const webhooksText = tableOf<EntryOf<'listWebhooks'>>(
  'id',
  'url',
  { kinds: ({ kinds }) => (kinds.length === 0 ? 'all' : kinds.join(' ')) },
  { paused: ({ paused }) => paused?.reason ?? '-' },
);

const deliveriesText = tableOf<EntryOf<'listDeliveries'>>('id', 'kind', 'timestamp', 'state', 'attempts', {
  fault: ({ fault }) => fault ?? '-',
});

const secretText = ({ id: webhook, secret }: AnswerOf<'createWebhook'>): string =>
  `The secret of webhook ${webhook}, which is shown this once:\n${secret}`;

const queuedText = ({ id: delivery, kind }: AnswerOf<'pingWebhook'>): string =>
  `Delivery ${delivery} (${kind}) is queued; its result: webhook deliveries`;

const onWebhook = (group: Command, name: string, description: string): Command =>
  addCommand(group, name, description).argument('<webhook>', 'id of the webhook', id);

const kindsOption = (): Option =>
  new Option('--kinds <kinds...>', 'kinds of events, or areas such as sale.*').choices(KIND_PATTERNS);

export const webhookCommands = (program: Command): void => {
  const group = program.command('webhook').description('the shop’s own systems that receive changes');
  addCommand(group, 'list', 'list the webhooks').action(lists('listWebhooks', { text: webhooksText }));
  addCommand(group, 'create', 'create a webhook, and show its secret once')
    .requiredOption('--url <url>', 'https address', line)
    .addOption(kindsOption().default([], 'every kind'))
    .action(calls('createWebhook', { text: secretText }));
  onWebhook(group, 'change', 'change, pause or continue a webhook')
    .option('--url <url>', 'https address', line)
    .addOption(kindsOption())
    .option('--pause', 'send nothing; events are queued for 30 days')
    .addOption(new Option('--continue', 'send again').conflicts('pause'))
    .action(
      calls('changeWebhook', {
        fields: ({ pause, continue: continues }) => ({ paused: pause ? true : continues ? false : undefined }),
      }),
    );
  onWebhook(group, 'delete', 'delete a webhook; events that wait for it are lost')
    .option('--yes', 'do not ask for confirmation')
    .action(
      calls('deleteWebhook', {
        loss: ({ webhook }) => `Webhook ${webhook} and the events that wait for it are lost.`,
        text: (_, { webhook }) => `Webhook ${webhook} is deleted.`,
      }),
    );
  onWebhook(group, 'rotate', 'make a new secret; the former one signs too for a day').action(
    calls('rotateWebhookSecret', { text: secretText }),
  );
  onWebhook(group, 'ping', 'send a test event').action(calls('pingWebhook', { text: queuedText }));
  onWebhook(group, 'deliveries', 'list what is sent, newest first')
    .option('--limit <number>', `most deliveries to list, from 1 to ${MOST_ROWS}`, rows, 20)
    .action(lists('listDeliveries', { text: deliveriesText }));
  onWebhook(group, 'resend', 'send a delivery again')
    .argument('<delivery>', 'id of the delivery', id)
    .action(calls('resendDelivery', { text: queuedText }));
};
