import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, readText } from '../read.ts';
import { all, type Elsewhere, type Reason } from './reason.ts';

const GUIDE = 'docs/aws.md';

const AT_AN_ACCOUNT: Reason = {
  why: 'It needs an account of AWS: its words are compared with the models of AWS, with the CDK and with the stacks.',
  by: ['test/aws/aws-commands.test.ts', 'infra/test/guide.test.ts', '.ci/run'],
};

/** The programs that need an account of AWS, and the installation before them. */
const NEEDS_AN_ACCOUNT = /(?<![\w./-])aws [a-z]|npm run (?:-s )?(?:cdk|synth) |npm ci/;

const { commands, codes } = readText(GUIDE, readFileSync(join(PROJECT, GUIDE), 'utf8'));

/** The commands of the guide to AWS that call AWS or the CDK. `test/aws/guide.test.ts` runs the others. */
export const AT_AWS: Elsewhere = {
  [GUIDE]: all(
    AT_AN_ACCOUNT,
    [...commands, ...codes].map(({ text }) => text).filter((text) => NEEDS_AN_ACCOUNT.test(text)),
  ),
};
