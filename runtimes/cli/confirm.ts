import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { ask, isTerminal, ownTerminal, type Terminal } from './ask.ts';
import { plain } from './print.ts';

type Options = {
  /** Members of the refusal's JSON, such as the versions that buyers would be offered. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly terminal?: Terminal;
};

/**
 * Asks before something is lost. `loss` is one sentence that says what will be lost, such as "Key 3 stops working."
 * With `--yes` nothing is asked. On a terminal the person types yes; in a script the refusal has the sentence, and says
 * to add `--yes`.
 */
export const confirmed = async (
  { yes = false }: { readonly yes?: boolean },
  loss: string,
  { data, terminal = ownTerminal() }: Options = {},
): Promise<Outcome<null, 'confirmation_required'>> => {
  if (yes) return ok(null);
  const detail = data === undefined ? {} : { data };
  if (!isTerminal(terminal)) {
    return refuse('confirmation_required', {
      message: `${loss} Nothing has changed yet; add --yes to go on.`,
      ...detail,
    });
  }
  const [answer = ''] = (await ask([`${plain(loss)} Type yes to go on: `], {}, terminal)) ?? [];
  return answer.trim().toLowerCase() === 'yes'
    ? ok(null)
    : refuse('confirmation_required', { message: 'Cancelled; nothing changed.', ...detail });
};
