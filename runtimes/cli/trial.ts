import type { Command } from 'commander';
import { addCommand, calls, type Named } from './command.ts';
import { tableOf } from './print.ts';
import type { AnswerOf } from './send.ts';
import { count, deviceId, PRODUCT_HELP, productName } from './values.ts';

type Shown = AnswerOf<'showTrials'>;
type Trial = AnswerOf<'changeTrial'>['trial'];

const monthsText = tableOf<Shown['months'][number]>('month', 'started', {
  'with a license since': ({ converted }) => converted,
});

const trialText = ({ started_at, ends_at, converted_at }: Trial): string =>
  `The trial began at ${started_at} and ends at ${ends_at}${converted_at ? `; its device has had a license since ${converted_at}` : ''}.`;

const showText = ({ trial, months }: Shown, { device }: Named): string =>
  device === undefined ? monthsText(months) : trial ? trialText(trial) : `Device ${device} has had no trial.`;

export const trialCommands = (program: Command): void => {
  const group = program.command('trial').description('the trials of products on devices');
  addCommand(group, 'show', 'show how many trials started in each month, and how many have a license since')
    .argument('<product>', PRODUCT_HELP, productName)
    .option('--device <device>', 'show the trial of this device instead: its id as the application sends it', deviceId)
    .action(calls('showTrials', { text: showText }));
  addCommand(group, 'change', 'extend or end the trial of a device')
    .argument('<device>', 'id of the device, as the application sends it', deviceId)
    .requiredOption('--product <product>', PRODUCT_HELP, productName)
    .requiredOption('--days <number>', 'days from now, at most 365; 0 ends the trial', count)
    .option('--yes', 'do not ask for confirmation')
    .action(
      calls('changeTrial', {
        loss: ({ days, product, device }) => (days === 0 ? `The trial of ${product} on device ${device} ends.` : null),
        text: ({ trial }) => trialText(trial),
      }),
    );
};
