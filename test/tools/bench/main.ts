import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { type Bench, runParts } from './bench.ts';
import { helpText, readOptions } from './options.ts';
import { PARTS } from './parts.ts';
import { showTable } from './show.ts';

/** The processor by its name, its family and model if Linux reports them, and its cores. */
const processorName = (): string => {
  const told = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  const [, family, model] = /^cpu family\s*:\s*(\d+)\s+model\s*:\s*(\d+)/m.exec(told) ?? [];
  const kind = family === undefined ? '' : ` (family ${family}, model ${model})`;
  return `${cpus()[0]?.model.trim() || 'unknown processor'}${kind}, ${cpus().length} cores`;
};

const machineOf = (): Bench['machine'] => ({
  date: new Date().toISOString().slice(0, 10),
  processor: processorName(),
  node: `Node ${process.version}`,
  platform: process.platform,
  load: `load ${(loadavg()[0] ?? 0).toFixed(1)} before the first part`,
});

/** `npm run bench`: measures the requested parts. Exits with 1 if one of them failed. */
const main = async (): Promise<string> => {
  const { only, json, help } = readOptions(process.argv.slice(2), Object.keys(PARTS));
  if (help) return helpText(Object.fromEntries(Object.entries(PARTS).map(([name, { title }]) => [name, title])));
  const parts = only.flatMap((name) => PARTS[name] ?? []);
  const machine = machineOf();
  const { failed, ...measured } = await runParts(parts);
  const bench: Bench = { machine, ...measured };
  if (failed.length > 0) process.exitCode = 1;
  return json ? `${JSON.stringify(bench)}\n` : showTable(bench);
};

try {
  process.stdout.write(await main());
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
