import { PassThrough } from 'node:stream';
import type { Terminal } from '../../runtimes/cli/ask.ts';

/** A terminal at which a person types this text, and everything that the person sees. */
export const terminalTyping = (typed: string): { readonly terminal: Terminal; readonly seen: () => string } => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  input.end(typed);
  const chunks: string[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(String(chunk)));
  return { terminal: { input, output }, seen: () => chunks.join('') };
};

/** The streams of a script, without a person. */
export const noTerminal = (typed = ''): Terminal => {
  const input = new PassThrough();
  input.end(typed);
  return { input, output: new PassThrough() };
};
