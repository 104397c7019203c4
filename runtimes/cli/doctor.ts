import type { Command } from 'commander';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf } from './command.ts';
import { plain } from './print.ts';

const doctor = async (): Answered => {
  const [{ examine }, { configuredUrls }] = await Promise.all([
    import('../operations/doctor/doctor.ts'),
    import('./configured-urls.ts'),
  ]);
  const findings = await examine(process.env, configuredUrls);
  const lines = findings.map(({ check, ok: right, message }) => {
    return `${right ? 'ok   ' : 'WRONG'}  ${check.padEnd(13)}  ${plain(message)}`;
  });
  return ok({ json: findings, text: lines.join('\n'), failed: findings.some((finding) => !finding.ok) });
};

export const doctorCommand = (program: Command): void => {
  leaf(program, 'doctor', 'check configuration, store, objects and keys, and say what is wrong').action(
    (options: { json?: boolean }) => answer(options, doctor),
  );
};
