import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ask, firstLine } from '../../runtimes/cli/ask.ts';
import { terminalTyping } from './terminal.ts';

describe('questions at a terminal', () => {
  it('each question reads one line, even when all lines arrive at once', async () => {
    const { terminal } = terminalTyping('one\ntwo\n');
    expect(await ask(['First: ', 'Second: '], {}, terminal)).toEqual(['one', 'two']);
  });

  it('hidden questions are shown without their answers', async () => {
    const { terminal, seen } = terminalTyping('a secret\nthe same\n');
    expect(await ask(['Password: ', 'Again: '], { hidden: true }, terminal)).toEqual(['a secret', 'the same']);
    expect(seen()).toBe('Password: \nAgain: \n');
  });

  it('the answer is null when the person leaves before the last question', async () => {
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
  ])('the first line of %j is %j', async (text, line) => {
    expect(await firstLine(Readable.from([Buffer.from(text)]))).toBe(line);
  });

  it('the first line of an empty stream is null', async () => {
    expect(await firstLine(Readable.from([]))).toBeNull();
  });

  it('the first line in another encoding is refused, because a password with a replaced letter would not work', async () => {
    const refused = firstLine(Readable.from([Buffer.from('caf\xE9\n', 'latin1')]));
    await expect(refused).rejects.toThrow('Standard input is not UTF-8');
  });
});
