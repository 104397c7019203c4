import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ask, firstLine } from '../../runtimes/cli/ask.ts';
import { terminalTyping } from './terminal.ts';

describe('asking at a terminal', () => {
  it('takes a line for each question, also when all lines arrive at once', async () => {
    const { terminal } = terminalTyping('one\ntwo\n');
    expect(await ask(['First: ', 'Second: '], {}, terminal)).toEqual(['one', 'two']);
  });

  it('shows the questions of hidden lines, and not the lines', async () => {
    const { terminal, seen } = terminalTyping('a secret\nthe same\n');
    expect(await ask(['Password: ', 'Again: '], { hidden: true }, terminal)).toEqual(['a secret', 'the same']);
    expect(seen()).toBe('Password: \nAgain: \n');
  });

  it('answers null when the person leaves before the last question', async () => {
    const { terminal } = terminalTyping('one\n\u0003');
    expect(await ask(['First: ', 'Second: '], {}, terminal)).toBeNull();
  });
});

describe('the first line of a stream', () => {
  it.each([
    ['one\ntwo\n', 'one'],
    ['one\r\n', 'one'],
    ['no end', 'no end'],
    ['\nsecond', ''],
    [' kept spaces ', ' kept spaces '],
    ['\uFEFFmarked\r\n', 'marked'],
  ])('of %j is %j', async (text, line) => {
    expect(await firstLine(Readable.from([Buffer.from(text)]))).toBe(line);
  });

  it('is null for a stream that has nothing', async () => {
    expect(await firstLine(Readable.from([]))).toBeNull();
  });

  it('is refused in another encoding, because a password with a replaced letter would open nothing', async () => {
    const refused = firstLine(Readable.from([Buffer.from('caf\xE9\n', 'latin1')]));
    await expect(refused).rejects.toThrow('Standard input is not UTF-8');
  });
});
