import { cpus } from 'node:os';
import { type Bench, runParts } from './bench.ts';
import { helpText, readOptions } from './options.ts';
import { PARTS } from './parts.ts';
import { showTable } from './show.ts';

/** `npm run bench`: measures the parts that are asked for, and prints what they found. */
const main = async (): Promise<string> => {
  const options = readOptions(process.argv.slice(2), Object.keys(PARTS));
  if (options.help)
    return helpText(Object.fromEntries(Object.entries(PARTS).map(([name, { title }]) => [name, title])));
  const bench: Bench = {
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      node: process.version,
      platform: process.platform,
    },
    ...(await runParts(options.only.flatMap((name) => PARTS[name] ?? []))),
  };
  return options.json ? `${JSON.stringify(bench)}\n` : showTable(bench);
};

try {
  process.stdout.write(await main());
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
