import { expect, test } from 'vitest';
import { erasureSentence, GOES, STAYS } from '../../../domain/accounts/erasure.ts';
import { NOW } from '../../support/builders.ts';

test('each kind of record that an erasure removes or keeps has a readable name, and each kept one a reason', () => {
  const words = [...Object.values(GOES), ...Object.values(STAYS).flatMap(({ what, why }) => [what, why])];
  expect(words.filter((text) => text.trim() === '')).toEqual([]);
  expect(new Set(Object.values(GOES)).size).toBe(Object.keys(GOES).length);
});

test('an operator learns that an account was erased and how to end an interrupted erasure', () => {
  const erasure = { account_id: 7, erased_at: NOW, finished_at: NOW };
  expect(erasureSentence(erasure)).toBe(`Account 7 was erased at ${NOW}.`);
  expect(erasureSentence({ ...erasure, finished_at: null })).toBe(
    `Account 7 was marked as erased at ${NOW}, and its erasure has not ended; run "account erase 7" again.`,
  );
});
