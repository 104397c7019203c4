import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { wordsFrom } from '../tools/documents/cli-words.ts';
import { readDocuments } from '../tools/documents/read.ts';
import { motoPython } from './peers/moto.ts';

const AWS = /(?<![\w/.-])aws (?=[a-z])/g;

/** The AWS commands in a shell text, each as its words after `aws`. */
const awsCallsIn = (text: string): string[][] =>
  [...text.matchAll(AWS)].map((found) => wordsFrom(text, found.index + found[0].length));

let python: string;
beforeAll(async () => {
  python = await motoPython();
});

const complaints = (calls: readonly (readonly string[])[]): (string | null)[] =>
  JSON.parse(
    execFileSync(python, [join(import.meta.dirname, 'check-aws-commands.py')], {
      input: JSON.stringify(calls),
      encoding: 'utf8',
    }),
  );

test('every AWS command in the documents has an operation, options and a query that AWS’s models know', () => {
  const calls = readDocuments().flatMap(({ name, commands, codes }) => {
    const mentions = codes.filter(({ text }) => /^aws \S+ \S/.test(text));
    return [...commands, ...mentions].flatMap((piece) =>
      awsCallsIn(piece.text).map((words) => {
        const at = `${name}, line ${piece.line}: aws ${words.join(' ')}`;
        return { at, words, isMention: mentions.includes(piece) };
      }),
    );
  });
  expect(calls.length).toBeGreaterThan(15);
  const found = complaints(calls.map(({ words }) => words));
  const wrong = calls.flatMap(({ at, isMention }, i) => {
    const fault = found[i] ?? null;
    // A sentence may mention a command without its required options.
    return fault === null || (isMention && fault.startsWith('missing')) ? [] : [`${at}: ${fault}`];
  });
  expect(wrong).toEqual([]);
});

describe('the check of AWS commands', () => {
  test.each([
    ['aws dynamo describe-table --table-name t', 'unknown service dynamo'],
    ['aws dynamodb describe-tables --table-name t', 'unknown operation describe-tables'],
    ['aws dynamodb describe-table --table t', 'unknown option --table'],
    ['aws dynamodb update-table --deletion-protection-enabled', 'missing option --table-name'],
    ['aws dynamodb describe-table --table-name t --query Table.Status --output text', 'the answer has no Status'],
    ['aws sqs receive-message --queue-url u --query "Messages[].Text"', 'the answer has no Text'],
    ['aws logs tail GROUP --from 15m', 'unknown option --from'],
    ['X="$(aws sts get-caller-identity)"; aws lambda get-account-settings --all', 'unknown option --all'],
  ])('the check finds the fault in `%s`', (text, fault) => {
    expect(complaints(awsCallsIn(text)).at(-1)).toBe(fault);
  });
});
