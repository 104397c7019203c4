import { parseArgs } from 'node:util';

export type Options = {
  readonly only: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
};

const flag = { type: 'boolean', default: false } as const;

/** The options of the benchmark. Throws a sentence for the user if an option or a part is unknown. */
export const readOptions = (args: readonly string[], parts: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, json: flag, help: flag },
  });
  const { json, help } = values;
  const only = values.only?.split(',').map((name) => name.trim()) ?? parts;
  const unknown = only.find((name) => !parts.includes(name));
  if (unknown !== undefined) {
    throw new Error(`The benchmark has no part "${unknown}". Name some of these: ${parts.join(', ')}.`);
  }
  return { only: parts.filter((name) => only.includes(name)), json, help };
};

/** The answer to `--help`. */
export const helpText = (titles: Readonly<Record<string, string>>): string => `npm run -s bench -- [options]

  --only a,b   measure these parts only
  --json       print the values as JSON

Parts:
${Object.entries(titles)
  .map(([name, title]) => `  ${name.padEnd(12)} ${title}\n`)
  .join('')}`;
