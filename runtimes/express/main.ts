import { oneLine } from '../composition/faults.ts';
import { start } from './start.ts';

/**
 * `npm start`: serves until SIGTERM or SIGINT, then exits 0. A start that fails prints the reason in one line and exits
 * 1.
 */
try {
  const running = await start(process.env);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${oneLine(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  process.stderr.write(`${oneLine(error)}\n`);
  process.exit(1);
}
