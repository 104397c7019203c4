import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fuzzService } from './fuzz-service.ts';

/**
 * `npm run -s fuzz -- [--minutes 5] [--seed N]` starts the server and fuzzes every operation of its OpenAPI document at
 * its own host, with and without credentials. It prints the seed, the number of calls to each host, and the findings,
 * and exits with 1 if there is one.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: String(randomInt(1e9)) } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write('Usage: npm run -s fuzz -- [--minutes NUMBER] [--seed WHOLE-NUMBER]\n');
  process.exit(2);
}
process.stdout.write(`Seed ${seed}, ${minutes} minutes.\n`);
const results = await fuzzService({ seed, minutes });
for (const { findings, output } of results) if (findings.length > 0) process.stdout.write(`${output}\n`);
for (const { plan, calls, findings } of results) {
  const found = findings.length === 0 ? 'no finding' : findings.join('; ');
  process.stdout.write(
    `${plan.host}, ${plan.caller}: ${calls} calls of ${plan.operations.length} operations, ${found}\n`,
  );
}
const perHost = Map.groupBy(results, ({ plan }) => plan.host);
for (const [host, all] of perHost) {
  process.stdout.write(`${host}: ${all.reduce((sum, { calls }) => sum + calls, 0)} calls\n`);
}
process.exitCode = results.some(({ findings }) => findings.length > 0) ? 1 : 0;
