import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';

/** The streams of a conversation. Questions go to standard error, so that standard output has nothing but the answer. */
export type Terminal = {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean };
};

/** The terminal of this process. */
export const ownTerminal = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** True where a person can read a question and answer it. */
export const isTerminal = ({ input, output }: Terminal): boolean => input.isTTY === true && output.isTTY === true;

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Asks the questions in turn, and resolves with a line for each. Hidden lines are not shown while they are typed. Null
 * if the person ended the conversation with Ctrl+C or Ctrl+D.
 */
export const ask = async (
  questions: readonly string[],
  { hidden = false }: { hidden?: boolean } = {},
  terminal = ownTerminal(),
): Promise<readonly string[] | null> => {
  const { input, output } = terminal;
  // Without a prompt, readline writes nothing but an echo of the line, which a hidden line must not have.
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

/** The first line of a stream, without its end; null for a stream that has nothing. */
export const firstLine = async (input: Readable): Promise<string | null> => {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) return line;
  return null;
};
