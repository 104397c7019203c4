import { describe, expect, it } from 'vitest';
import { confirmed } from '../../runtimes/cli/ask.ts';
import { noTerminal, terminalTyping } from './terminal.ts';

const LOSS = 'Key 3 stops working.';

describe('a destructive command', () => {
  it('a destructive command continues without a question with --yes', async () => {
    const { terminal, seen } = terminalTyping('');
    expect(await confirmed({ yes: true }, LOSS, { terminal })).toEqual({ ok: true, value: null });
    expect(seen()).toBe('');
  });

  it.each([
    'yes\n',
    'YES\r',
    ' yes \n',
  ])('a destructive command continues when the person at the terminal types %j', async (typed) => {
    const { terminal, seen } = terminalTyping(typed);
    expect(await confirmed({}, LOSS, { terminal })).toEqual({ ok: true, value: null });
    expect(seen()).toContain(`${LOSS} Type yes to continue: `);
  });

  it.each([
    'y\n',
    'no\n',
    '\n',
    '\u0003',
    '\u0004',
    '',
  ])('a destructive command changes nothing when the person at the terminal types %j', async (typed) => {
    const { terminal } = terminalTyping(typed);
    expect(await confirmed({}, LOSS, { terminal })).toMatchObject({
      ok: false,
      code: 'confirmation_required',
      message: 'Cancelled; nothing changed.',
    });
  });

  it('a destructive command refuses in a script, says what would be lost, and names --yes', async () => {
    const data = { offered: '1.0.0' };
    expect(await confirmed({}, LOSS, { terminal: noTerminal('yes\n'), data })).toEqual({
      ok: false,
      code: 'confirmation_required',
      message: 'Key 3 stops working. Nothing has changed yet; add --yes to continue.',
      data,
    });
  });

  it('a destructive command prints no control characters of a name', async () => {
    const { terminal, seen } = terminalTyping('no\n');
    await confirmed({}, 'Device \u001b[31mred stops working.', { terminal });
    expect(seen()).not.toContain('\u001b[31m');
  });
});
