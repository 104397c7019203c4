import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { figuresPage, type Results, withColumn } from './page.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'figures.md');

const file = { type: 'string' } as const;

/**
 * `npm run -s figures` measures with the three tools and writes docs/figures.md. `--bench FILE`, `--attacks FILE` and
 * `--costs FILE` use the earlier `--json` output of a tool. `--only a,b` measures these parts of the benchmark, and
 * writes only their ratios into the column of this machine's processor.
 */
const { values } = parseArgs({ options: { bench: file, attacks: file, costs: file, only: file } });

const resultOf = <N extends keyof Results>(name: N, ...args: string[]): Results[N] => {
  const saved = values[name];
  const tool = join(import.meta.dirname, '..', name, 'main.ts');
  const run = () => execFileSync(process.execPath, [tool, ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(String(saved === undefined ? run() : readFileSync(saved)));
};

const page = readFileSync(PAGE, 'utf8');
if (values.only !== undefined) {
  writeFileSync(PAGE, withColumn(page, resultOf('bench', '--only', values.only)));
} else {
  const results: Results = {
    bench: resultOf('bench'),
    attacks: resultOf('attacks', 'sqlite'),
    costs: resultOf('costs'),
  };
  writeFileSync(PAGE, figuresPage(results, page));
}
