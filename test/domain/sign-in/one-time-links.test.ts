import { expect, test } from 'vitest';
import {
  changesAddress,
  newSignInLink,
  type SignInLink,
  signsIn,
  undoesChange,
} from '../../../domain/sign-in/sign-in-link.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const linkWith = (input: Pick<SignInLink, 'email' | 'undoes'>): SignInLink =>
  newSignInLink({ hash: '', account_id: 1, password_mark: '', ...input }, NOW);

test.each([
  ['that names no address signs in', {}, [true, false, false]],
  ['that names an address gives it to the account', { email: 'new@example.com' }, [false, true, false]],
  ['that names a change undoes it', { email: 'old@example.com', undoes: NOW }, [false, false, true]],
] as const)('a one-time link %s and does nothing else', (_, input, does) => {
  expect([signsIn, changesAddress, undoesChange].map((is) => is(linkWith(input)))).toEqual(does);
});
