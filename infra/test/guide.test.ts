import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOSTS as ALL_HOSTS } from '../../ports/inbound/hosts.ts';
import { wordsFrom } from '../../test/tools/documents/cli-words.ts';
import { PROJECT, readDocuments } from '../../test/tools/documents/read.ts';
import { areBuilt, BUNDLED, bundleOf, FUNCTIONS } from '../bundles/functions.ts';
import { domainOf, HOSTS } from './front.ts';
import { bundles, type Context, resourcesOf, stacksOf, synthesized } from './synthesized.ts';

const certificateArn = (id: string): string => `arn:aws:acm:eu-west-1:123456789012:certificate/${id}`;

/** The settings that docs/aws.md recommends. */
const RECOMMENDED = {
  stage: 'prod',
  gateway: 'http',
  apiDomain: 'api.example.com',
  apiCertificateArn: certificateArn('api'),
  appDomain: 'app.example.com',
  appCertificateArn: certificateArn('app'),
  designDomain: 'design.example.com',
  designCertificateArn: certificateArn('design'),
  accountDomain: 'account.example.com',
  accountCertificateArn: certificateArn('account'),
  alarmEmail: 'operator@example.com',
} as const;

const GUIDE = 'docs/aws.md';

/** The texts that a reader may type: the commands, and the code within sentences and tables. */
const texts = readDocuments()
  .filter(({ name }) => [GUIDE, 'docs/backup.md'].includes(name))
  .flatMap(({ name, commands, codes }) =>
    [...commands, ...codes].map(({ line, text }) => ({ at: `${name}, line ${line}`, text })),
  );

const CDK = /npm run (?:-s )?(?:cdk|synth) --(?= )/g;

/** The calls of the CDK, each as its words; `synth` stands for the script of that name. */
const calls = texts.flatMap(({ at, text }) =>
  [...text.matchAll(CDK)].map((found) => {
    const words = wordsFrom(text, found.index + found[0].length);
    return { at, words: found[0].includes('synth') ? ['synth', ...words] : words };
  }),
);

const pairsOf = (words: readonly string[]): [name: string, value: string][] =>
  words
    .filter((_, i) => words[i - 1] === '-c')
    .map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]);

/** A word that stands for the reader's own value, such as `ARN` or `OWNER/NAME`. */
const isPlaceholder = (value: string): boolean => /^[A-Z][A-Z/]*$/.test(value);

const complaintOf = (context: Context): string => {
  try {
    stacksOf(context);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

/** Every setting of the stacks, as the refusal of an unknown one lists them. */
const SETTINGS = (/there are (.*)\.$/.exec(complaintOf({ noSuchSetting: 'x' }))?.[1] ?? '').split(', ');

/** Hosts that exist only with a domain have outputs only then. */
const prod = synthesized({ stage: 'prod', ...Object.assign({}, ...HOSTS.map(domainOf)) });

const templateOf = (part: string): { Outputs?: object; Parameters?: object } =>
  prod.templates[part as keyof typeof prod.templates]?.toJSON() ?? {};

/** The part of a stage that a stack's name ends in, such as `data`. */
const partOf = (stack: string): string => /^account-service-(?:dev|prod|STAGE)-(\w+)$/.exec(stack)?.[1] ?? stack;

describe('the commands of the guide to AWS', () => {
  test('every call of the CDK is for stacks of the app, with settings that the stacks take', () => {
    expect(calls.length).toBeGreaterThan(5);
    for (const { at, words } of calls) {
      const stacks = words.filter((word) => /^account-service-[^:]+$/.test(word)).map(partOf);
      expect(
        stacks.filter((part) => !Object.hasOwn(prod.stacks, part)),
        at,
      ).toEqual([]);
      const pairs = pairsOf(words);
      expect(
        pairs.filter(([name]) => !SETTINGS.includes(name)),
        at,
      ).toEqual([]);
      // A command shows what it adds to the settings of the stage, so that one without those is no fault.
      const complaint = complaintOf(Object.fromEntries(pairs.filter(([, value]) => !isPlaceholder(value))));
      expect(complaint, at).toMatch(/^$| needs -c | belong together/);
    }
  });

  test('every parameter and every output is one of the stack', () => {
    const parameters = texts.flatMap(({ text }) => [...text.matchAll(/--parameters (\S+?):(\w+)=/g)]);
    const outputs = texts.flatMap(({ text }) => [...text.matchAll(/\bout (data|service|operations) (\w+)/g)]);
    expect([parameters.length > 1, outputs.length > 8]).toEqual([true, true]);
    for (const [text, stack = '', name = ''] of parameters)
      expect(templateOf(partOf(stack)).Parameters, text).toHaveProperty(name);
    for (const [text, part = '', name = ''] of outputs) expect(templateOf(part).Outputs, text).toHaveProperty(name);
  });

  test('every subcommand and option is one of the CDK', () => {
    const program = join(PROJECT, 'infra/node_modules/aws-cdk/bin/cdk');
    for (const [command = '', same = []] of Map.groupBy(calls, ({ words }) => words[0])) {
      const options = new Set(same.flatMap(({ words }) => words.filter((word) => word.startsWith('-'))));
      const help = execFileSync(process.execPath, [program, command, '--help'], { encoding: 'utf8', cwd: bundles });
      expect(help.slice(0, 60), command).toContain(`cdk ${command}`);
      for (const option of options) expect(help, command).toMatch(new RegExp(`(?:^|\\s)${option}\\b`, 'm'));
    }
  });
});

describe('the tables of the guide to AWS', () => {
  test('the guide has every setting of the stacks, and no other', () => {
    const written = texts.flatMap(({ text }) =>
      /^(?:-c )?[a-z]\w*=[^\s=]+(?: (?:-c )?[a-z]\w*=[^\s=]+)*$/.test(text)
        ? text.split(' ').flatMap((part) => (part.includes('=') ? [part.split('=', 1)[0] ?? ''] : []))
        : [],
    );
    expect(written.filter((name) => !SETTINGS.includes(name))).toEqual([]);
    // The table has the settings of one host and one function, and says "likewise" of the others.
    const shown = (name: string): string =>
      name.replace(/^[a-z]+(?=(?:Domain|CertificateArn|Provisioned|Concurrency)$)/, 'api');
    expect(SETTINGS.filter((name) => !written.includes(name) && !written.includes(shown(name)))).toEqual([]);
  });

  test('the guide has a row for each alarm of the stacks, and no other row', () => {
    const { service, operations } = synthesized({ ...RECOMMENDED, deployment: 'canary' }).templates;
    const names = [service, operations]
      .flatMap((template) => resourcesOf(template, 'AWS::CloudWatch::Alarm'))
      .map(([, { AlarmName }]) =>
        String(AlarmName)
          .replace('account-service-prod-', '')
          .replace(
            new RegExp(`^(?:${ALL_HOSTS.join('|')})(?:-streams)?-(?=errors$|latency$|release-answers$)`),
            'GATEWAY-',
          )
          .replace(
            new RegExp(`^(?:${FUNCTIONS.join('|')})-(?=function-errors$|throttles$|duration$|release-errors$)`),
            'FUNCTION-',
          ),
      );
    const [, rows = ''] =
      /\| alarm \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(readFileSync(join(PROJECT, GUIDE), 'utf8')) ?? [];
    const cells = rows.split('\n').map((row) => row.split(' | ')[0] ?? '');
    const inGuide = cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect(inGuide.toSorted()).toEqual([...new Set(names)].toSorted());
  });
});

test('the app builds the bundles before a first command such as bootstrap, where a function has none', () => {
  const [one, ...others] = BUNDLED;
  const folder = mkdtempSync(join(tmpdir(), 'account-service-bundles-'));
  for (const name of others) cpSync(bundleOf(name, bundles), bundleOf(name, folder), { recursive: true });
  expect([areBuilt(bundles), areBuilt(folder)], one).toEqual([true, false]);
  rmSync(folder, { recursive: true });
  const app = readFileSync(join(PROJECT, 'infra', 'bin', 'app.ts'), 'utf8');
  expect(app).toContain('if (!areBuilt()) await buildBundles();');
});
