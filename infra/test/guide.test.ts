import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PUBLIC_HOSTS } from '../../ports/inbound/hosts.ts';
import { wordsFrom } from '../../test/tools/documents/cli-words.ts';
import { PROJECT, readDocuments } from '../../test/tools/documents/read.ts';
import { areBuilt, BUNDLED, bundleOf, FUNCTIONS } from '../bundles/functions.ts';
import { stageOf } from '../stage.ts';
import { ALL_NAMES, IMAGE, named } from './given.ts';
import { bundles, resourcesOf, synthesized } from './synthesized.ts';

const GUIDE = 'docs/aws.md';

/** The texts that a reader may type: the commands, and the code in sentences and tables. */
const texts = readDocuments()
  .filter(({ name }) => [GUIDE, 'docs/backup.md'].includes(name))
  .flatMap(({ name, commands, codes }) =>
    [...commands, ...codes].map(({ line, text }) => ({ at: `${name}, line ${line}`, text })),
  );

const CDK = /npm run (?:-s )?(?:cdk|synth) --(?= )/g;

/** The CDK commands, each as its words; `synth` is the script with that name. */
const calls = texts.flatMap(({ at, text }) =>
  [...text.matchAll(CDK)].map((found) => {
    const words = wordsFrom(text, found.index + found[0].length);
    return { at, words: found[0].includes('synth') ? ['synth', ...words] : words };
  }),
);

/** Every setting of a stage, from the refusal of an unknown one. */
const SETTINGS = (() => {
  try {
    stageOf('dev', { noSuchSetting: true });
  } catch (error) {
    return (/there are (.*)\.$/.exec((error as Error).message)?.[1] ?? '').split(', ');
  }
  return [];
})();

/** Hosts that exist only with a domain have outputs only then. */
const prod = synthesized({
  stage: 'prod',
  ...ALL_NAMES,
  container: { image: IMAGE },
  pipeline: { repository: 'example/shop' },
});

const templateOf = (part: string): { Outputs?: object; Parameters?: object } =>
  prod.templates[part as keyof typeof prod.templates]?.toJSON() ?? {};

/** The part of a stage that a stack's name ends in, such as `data`. */
const partOf = (stack: string): string => /^account-service-(?:dev|prod|STAGE)-(\w+)$/.exec(stack)?.[1] ?? stack;

describe('commands of the AWS guide', () => {
  test('every CDK command is for stacks of the app and names only the stage', () => {
    expect(calls.length).toBeGreaterThan(5);
    for (const { at, words } of calls) {
      const stacks = words.filter((word) => /^account-service-[^:]+$/.test(word)).map(partOf);
      expect(
        stacks.filter((part) => !Object.hasOwn(prod.stacks, part)),
        at,
      ).toEqual([]);
      const given = words.filter((_, i) => words[i - 1] === '-c');
      expect(given, at).toEqual(words[0] === 'bootstrap' ? [] : [expect.stringMatching(/^stage=(?:dev|prod)$/)]);
    }
  });

  test('the DNS names lead to the service before the probe requests them', () => {
    const deployments = calls.filter(({ words }) => words[0] === 'deploy').map(({ words }) => words[1]);
    const whole = deployments.indexOf('--all');
    expect(deployments.slice(0, whole)).toEqual(['account-service-prod-data', 'account-service-prod-service']);
    const pointed = texts.findIndex(({ text }) => text.includes('out service ApiTarget'));
    const all = texts.findIndex(({ text }) => /deploy --all/.test(text));
    expect([pointed > 0, pointed < all]).toEqual([true, true]);
  });

  test('every parameter and every output exists in a stack', () => {
    const parameters = texts.flatMap(({ text }) => [...text.matchAll(/--parameters (\S+?):(\w+)=/g)]);
    const outputs = texts.flatMap(({ text }) => [...text.matchAll(/\bout (data|service|operations) (\w+)/g)]);
    expect([parameters.length > 1, outputs.length > 8]).toEqual([true, true]);
    for (const [text, stack = '', name = ''] of parameters)
      expect(templateOf(partOf(stack)).Parameters, text).toHaveProperty(name);
    for (const [text, part = '', name = ''] of outputs) expect(templateOf(part).Outputs, text).toHaveProperty(name);
  });

  test('every subcommand and option exists in the CDK', () => {
    const program = join(PROJECT, 'infra/node_modules/aws-cdk/bin/cdk');
    for (const [command = '', same = []] of Map.groupBy(calls, ({ words }) => words[0])) {
      const options = new Set(same.flatMap(({ words }) => words.filter((word) => word.startsWith('-'))));
      const help = execFileSync(process.execPath, [program, command, '--help'], { encoding: 'utf8', cwd: bundles });
      expect(help.slice(0, 60), command).toContain(`cdk ${command}`);
      for (const option of options) expect(help, command).toMatch(new RegExp(`(?:^|\\s)${option}\\b`, 'm'));
    }
  });
});

describe('tables of the AWS guide', () => {
  const guide = readFileSync(join(PROJECT, GUIDE), 'utf8');
  /** The names in the first cells of the table whose first column has this heading. */
  const rowsOf = (column: string): string[] => {
    const [, rows = ''] = new RegExp(`\\| ${column} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`).exec(guide) ?? [];
    const cells = rows.split('\n').map((row) => row.split(' | ')[0] ?? '');
    return cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name));
  };

  test('the guide lists exactly the settings of a stage, and the example is valid', () => {
    expect(rowsOf('setting').toSorted()).toEqual(SETTINGS.toSorted());
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
    expect(stageOf('prod', JSON.parse(example)).domains.api).toBe('api.shop.example.com');
  });

  test('the guide has exactly one row for each alarm of the stacks', () => {
    const { templates } = synthesized({
      ...named(...PUBLIC_HOSTS),
      container: { image: IMAGE },
      deployment: 'canary',
      mail: { from: 'shop@example.com' },
      webhooks: { secretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:webhooks-AbCdEf' },
      backup: {},
    });
    const kinds = [
      [PUBLIC_HOSTS, 'HOST', 'errors|latency|release-answers'],
      [FUNCTIONS, 'FUNCTION', 'function-errors|duration|release-errors'],
    ] as const;
    const names = [templates.service, templates.operations]
      .flatMap((template) => resourcesOf(template, 'AWS::CloudWatch::Alarm'))
      .map(([, { AlarmName }]) =>
        kinds.reduce(
          (name, [all, kind, alarms]) =>
            name.replace(new RegExp(`^(?:${all.join('|')})-(?=(?:${alarms})$)`), `${kind}-`),
          String(AlarmName).replace('account-service-dev-', ''),
        ),
      );
    expect(rowsOf('alarm').toSorted()).toEqual([...new Set(names)].toSorted());
  });
});

test('the app builds the bundles before a first command such as bootstrap if a function has none', () => {
  const [one, ...others] = BUNDLED;
  const folder = mkdtempSync(join(tmpdir(), 'account-service-bundles-'));
  for (const name of others) cpSync(bundleOf(name, bundles), bundleOf(name, folder), { recursive: true });
  expect([areBuilt(bundles), areBuilt(folder)], one).toEqual([true, false]);
  rmSync(folder, { recursive: true });
  const app = readFileSync(join(PROJECT, 'infra', 'bin', 'app.ts'), 'utf8');
  expect(app).toContain('if (!areBuilt()) await buildBundles();');
});
