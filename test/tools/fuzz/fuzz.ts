import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan } from './plans.ts';
import type { Known } from './served.ts';

/** The length of a run: a number of inputs for each operation, or seconds for all operations together. */
export type Length = { readonly examples: number } | { readonly seconds: number };

export type Findings = {
  readonly plan: Plan;
  readonly calls: number;
  /**
   * The title of each failure, of each fault of the fuzzer, and of each operation that was not called. Every title is a
   * problem.
   */
  readonly findings: readonly string[];
  /** The output of schemathesis: each failure with a curl command that repeats it. */
  readonly output: string;
};

/** The parts of schemathesis's report that are read here. */
type Report = {
  readonly operations: { readonly selected: number; readonly tested: number };
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[];
  readonly errors: readonly unknown[];
};

/** The share of inputs that name an existing record. */
const KNOWN_SHARE = 0.7;

/**
 * Disabled checks. Two compare inputs with their schemas, but some rules can't be expressed in JSON Schema, and some
 * inputs are accepted but not recommended, such as `1` for true. The third omits a required header; the only one is the
 * credential, which schemathesis adds again. The check `ignored_auth` covers that.
 */
const OFF = ['positive_data_acceptance', 'negative_data_rejection', 'missing_required_header'];

/** The configuration in TOML, whose values are written as in JSON. */
const configuration = (known: Known): string => {
  const dictionaries = Object.entries(known).map(
    ([name, values]) => `[dictionaries.${JSON.stringify(name)}]\nvalues = ${JSON.stringify(values)}\n`,
  );
  const parameters = Object.keys(known).map(
    (name) => `${JSON.stringify(name)} = { dictionary = ${JSON.stringify(name)}, probability = ${KNOWN_SHARE} }\n`,
  );
  return `hooks = ${JSON.stringify(join(import.meta.dirname, 'hooks.py'))}
[generation]
database = "none"
${OFF.map((check) => `[checks.${check}]\nenabled = false\n`).join('')}[parameters]
${parameters.join('')}${dictionaries.join('')}`;
};

const read = async (file: string): Promise<Report | null> =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => null,
  );

const findingsOf = (report: Report | null, code: number, operations: number): string[] => {
  if (!report) return [`schemathesis exited with ${code} and wrote no report`];
  const failures = report.failures.map(({ title, operations: of }) => `${title}: ${of.join(', ')}`);
  const errors = report.errors.map((error) => `error: ${JSON.stringify(error)}`);
  const { tested } = report.operations;
  const missed = tested === operations ? [] : [`${operations - tested} of ${operations} operations were not called`];
  const found = [...failures, ...errors, ...missed];
  return found.length > 0 || code === 0 ? found : [`schemathesis exited with ${code}`];
};

/** Runs a program to its end, with any exit code. */
const ended = (program: string, args: readonly string[], cwd: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd, maxBuffer: 256 * 1024 * 1024 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: out + err }),
    );
  });

/** Runs schemathesis on the plan, and reports each call that violated the document. */
export const fuzz = async (
  python: string,
  plan: Plan,
  { known = {}, seed, length }: { known?: Known; seed: number; length: Length },
): Promise<Findings> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-service-schemathesis-'));
  try {
    const file = (name: string): string => join(folder, name);
    await writeFile(file('openapi.json'), JSON.stringify(plan.document));
    await writeFile(file('schemathesis.toml'), configuration(known));
    const options = [
      ['--url', plan.url],
      ['--seed', String(seed)],
      'examples' in length ? ['--max-examples', String(length.examples)] : ['--max-time', String(length.seconds)],
      ['--continue-on-failure', '--report-json-path', file('report.json')],
      plan.operations.flatMap((name) => ['--include-operation-id', name]),
      plan.credential === null ? [] : ['--header', `Authorization: Bearer ${plan.credential}`],
    ].flat();
    const command = ['-m', 'schemathesis.cli', '--no-color', '--config-file', file('schemathesis.toml'), 'run'];
    const { code, output } = await ended(python, [...command, file('openapi.json'), ...options], folder);
    const written = await read(file('report.json'));
    return {
      plan,
      calls: written?.test_cases.generated ?? 0,
      findings: findingsOf(written, code, plan.operations.length),
      output,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
