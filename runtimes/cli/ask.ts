import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { plain } from './print.ts';

/** The streams of a conversation. Questions go to standard error, so that standard output has only the answer. */
export type Terminal = {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean };
};

/** The terminal of this process. */
export const ownTerminal = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** True if a person can read a question and answer it. */
export const isTerminal = ({ input, output }: Terminal): boolean => input.isTTY === true && output.isTTY === true;

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Asks the questions in turn, and resolves with a line for each. Hidden lines are not echoed. Null if the person ended
 * the conversation with Ctrl+C or Ctrl+D.
 */
export const ask = async (
  questions: readonly string[],
  { hidden = false }: { hidden?: boolean } = {},
  terminal = ownTerminal(),
): Promise<readonly string[] | null> => {
  const { input, output } = terminal;
  // Without a prompt, readline writes only the echo of the line, which a hidden line must not have.
  const lines = createInterface({ input, output: hidden ? nowhere() : output, terminal: true, prompt: '' });
  const answers: string[] = [];
  try {
    const typed = lines[Symbol.asyncIterator]();
    for (const question of questions) {
      output.write(question);
      const { done, value } = await typed.next();
      if (hidden || done) output.write('\n');
      if (done) return null;
      answers.push(value);
    }
    return answers;
  } finally {
    lines.close();
  }
};

/** The first line of a stream, without its end and a UTF-8 byte order mark; null for an empty stream. */
export const firstLine = async (input: Readable): Promise<string | null> => {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.includes('\uFFFD')) throw new Error('Standard input is not UTF-8; send it as UTF-8.');
    return line.replace('\uFEFF', '');
  }
  return null;
};

type Options = {
  /** Fields for the refusal's JSON, such as the versions that buyers would be offered. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly terminal?: Terminal;
};

/**
 * Asks before something is lost. `loss` is one sentence that says what will be lost, such as "Key 3 stops working."; null
 * if nothing will be. With `--yes` nothing is asked. On a terminal the person types yes; in a script the command is
 * refused with that sentence and the advice to add `--yes`.
 */
export const confirmed = async (
  { yes = false }: { readonly yes?: boolean },
  loss: string | null,
  { data, terminal = ownTerminal() }: Options = {},
): Promise<Outcome<null, 'confirmation_required'>> => {
  if (yes || loss === null) return ok(null);
  const detail = data === undefined ? {} : { data };
  if (!isTerminal(terminal)) {
    return refuse('confirmation_required', {
      message: `${loss} Nothing has changed yet; add --yes to continue.`,
      ...detail,
    });
  }
  const [answer = ''] = (await ask([`${plain(loss)} Type yes to continue: `], {}, terminal)) ?? [];
  return answer.trim().toLowerCase() === 'yes'
    ? ok(null)
    : refuse('confirmation_required', { message: 'Cancelled; nothing changed.', ...detail });
};

/**
 * Makes a change after a trial, which determines its effect. `lossOf` says what would be lost; if it returns null,
 * nothing is asked.
 */
export const afterTrial = async <T>(
  options: { readonly yes?: boolean },
  change: (trial: boolean) => Promise<Outcome<T, string>>,
  lossOf: (tried: T) => string | null,
  dataOf: (tried: T) => Options['data'] = () => undefined,
): Promise<Outcome<T, string>> => {
  const tried = await change(true);
  if (!tried.ok) return tried;
  const confirmation = await confirmed(options, lossOf(tried.value), { data: dataOf(tried.value) });
  return confirmation.ok ? change(false) : confirmation;
};
