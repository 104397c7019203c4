import type { Command } from 'commander';
import { ok } from '../../domain/shared/outcome.ts';
import type { Finding } from '../operations/doctor/finding.ts';
import { type AnswerOutcome, answer, leaf } from './command.ts';
import { configuredUrls, options as given } from './given.ts';
import { plain, withProgress } from './print.ts';

type Options = { json?: boolean; quick?: boolean };

const LABELS: Readonly<Record<Finding['kind'], string>> = { fine: 'ok', next: 'next', wrong: 'WRONG' };

const doctor = async ({ quick = false }: Options): AnswerOutcome => {
  const { examine } = await import('../operations/doctor/doctor.ts');
  const { engines, ownSignIn = false } = given();
  const findings = await withProgress((progress) =>
    examine(process.env, configuredUrls, {
      quick,
      ...(engines && { engines }),
      ownSignIn,
      progress,
    }),
  );
  const lines = findings.map(
    ({ check, kind, message }) => `${LABELS[kind].padEnd(5)}  ${check.padEnd(13)}  ${plain(message)}`,
  );
  return ok({ json: findings, text: lines.join('\n'), failed: findings.some((finding) => !finding.ok) });
};

export const doctorCommand = (program: Command): void => {
  leaf(program, 'doctor', 'check configuration, store, files and keys, and say what is wrong or comes next')
    .option('--quick', 'check only that the files exist with their sizes')
    .action((options: Options) => answer(options, () => doctor(options)));
};
