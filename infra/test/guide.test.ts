import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordsFrom } from '../../test/tools/documents/cli-words.ts';
import { PROJECT, readDocuments } from '../../test/tools/documents/read.ts';
import { addStacks, checkedApp } from '../account-service.ts';
import { areBuilt, bundleOf } from '../bundles/functions.ts';
import { emptyBundles, type Synthesized, synthesized } from './synthesized.ts';

const guides = readDocuments().filter(({ name }) => /^docs\/(?:deploy|migrate|aws\/.*)\.md$/.test(name));

/** The texts of the guides that a reader may type: the commands, and the code within sentences and tables. */
const texts = guides.flatMap(({ name, commands, codes }) =>
  [...commands, ...codes].map(({ line, text }) => ({ at: `${name}, line ${line}`, text })),
);

const CDK = /npm run (?:-s )?(?:cdk|synth) --(?= )/g;

/** The calls of the CDK in the guides, each as its words; `synth` stands for the script of that name. */
const calls = texts.flatMap(({ at, text }) =>
  [...text.matchAll(CDK)].map((found) => {
    const words = wordsFrom(text, found.index + found[0].length);
    return { at, words: found[0].includes('synth') ? ['synth', ...words] : words };
  }),
);

/** The values of an option in a call. */
const valuesOf = (words: readonly string[], option: string): string[] =>
  words.flatMap((word, i) => (words[i - 1] === option ? [word] : []));

const pairsOf = (words: readonly string[]): [name: string, value: string][] =>
  valuesOf(words, '-c').map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]);

/** A word that stands for the reader's own value, such as `ARN` or `OWNER/NAME`. */
const isPlaceholder = (value: string): boolean => /^[A-Z][A-Z/]*$/.test(value);

/** The fault of settings. A page shows what it adds to those of the stage, so that one that lacks others is none. */
const faultOf = (given: Readonly<Record<string, string>>): string | undefined => {
  try {
    addStacks(checkedApp(given), bundles);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return / needs -c | belong together/.test(message) ? undefined : message;
  }
};

/** Every setting of the stack, as the refusal of an unknown one names them. */
const settings = (): string[] => {
  try {
    addStacks(checkedApp({ noSuchSetting: 'x' }));
  } catch (error) {
    const [, named = ''] = /there are (.*)\.$/.exec((error as Error).message) ?? [];
    return named.split(', ');
  }
  throw new Error('An unknown setting was taken.');
};

/** Hosts that exist only with a name have outputs only then. */
const WITH_EVERY_HOST = {
  stage: 'prod',
  ...Object.fromEntries(
    ['api', 'app', 'design', 'account', 'legacy'].flatMap((host) => [
      [`${host}Domain`, `${host}.example.com`],
      [`${host}CertificateArn`, `arn:aws:acm:eu-west-1:123456789012:certificate/${host}`],
    ]),
  ),
};

let bundles: string;
let prod: Synthesized;
beforeAll(async () => {
  bundles = await emptyBundles();
  prod = synthesized(bundles, WITH_EVERY_HOST);
});
afterAll(() => rm(bundles, { recursive: true }));

const templateOf = (part: string): { Outputs?: object; Parameters?: object } =>
  prod.templates[part as keyof Synthesized['templates']]?.toJSON() ?? {};

/** The part of a stage that a stack's name names, such as `data`. */
const partOf = (stack: string): string => /^account-service-(?:dev|prod|STAGE)-(\w+)$/.exec(stack)?.[1] ?? stack;

describe('the calls of the CDK in the guides', () => {
  test('every call names only stacks that the app has', () => {
    expect(calls.length).toBeGreaterThan(5);
    const named = calls.flatMap(({ at, words: [, ...words] }) =>
      words.filter((word) => /^account-service-\S+$/.test(word) && !word.includes(':')).map((stack) => ({ at, stack })),
    );
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter(({ stack }) => !Object.hasOwn(prod.stacks, partOf(stack)))).toEqual([]);
  });

  test('every call has settings that the stacks take', () => {
    const known = settings();
    for (const { at, words } of calls) {
      const pairs = pairsOf(words);
      expect(
        pairs.filter(([name]) => !known.includes(name)),
        at,
      ).toEqual([]);
      const given = Object.fromEntries(pairs.filter(([, value]) => !isPlaceholder(value)));
      expect(faultOf(given), at).toBeUndefined();
    }
  });

  test('every parameter of a stack is one that its template has', () => {
    const named = texts.flatMap(({ at, text }) =>
      [...text.matchAll(/--parameters (\S+?):(\w+)=/g)].map(([, stack = '', name = '']) => ({ at, stack, name })),
    );
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter(({ stack, name }) => !Object.hasOwn(templateOf(partOf(stack)).Parameters ?? {}, name))).toEqual(
      [],
    );
  });

  test('every subcommand and option is one that the CDK has', () => {
    const help = new Map<string, string>();
    const helpOf = (command: string): string => {
      const known =
        help.get(command) ??
        execFileSync(process.execPath, [join(PROJECT, 'infra/node_modules/aws-cdk/bin/cdk'), command, '--help'], {
          encoding: 'utf8',
          cwd: bundles,
        });
      help.set(command, known);
      return known;
    };
    const wrong = calls.flatMap(({ at, words: [command = '', ...words] }) => {
      const text = helpOf(command);
      const options = words.filter((word) => word.startsWith('-'));
      const unknown = options.filter((option) => !new RegExp(`(?:^|\\s)${option}\\b`, 'm').test(text));
      return [
        ...(text.startsWith(`cdk ${command}`) ? [] : [`${at}: ${command}`]),
        ...unknown.map((option) => `${at}: ${command} ${option}`),
      ];
    });
    expect(wrong).toEqual([]);
  });
});

describe('the bundles of a fresh checkout', () => {
  test('the app finds out that a function has no bundle, and builds them before a first command such as bootstrap', async () => {
    expect(areBuilt(bundles)).toBe(true);
    const fresh = await emptyBundles();
    await rm(bundleOf('replay', fresh), { recursive: true });
    expect(areBuilt(fresh)).toBe(false);
    await rm(fresh, { recursive: true });
    expect(readFileSync(join(PROJECT, 'infra', 'bin', 'app.ts'), 'utf8')).toContain(
      'if (!areBuilt()) await buildBundles();',
    );
  });
});

describe('the names in the guides', () => {
  test('every output that a guide asks for is one that the stack has', () => {
    const asked = texts.flatMap(({ at, text }) =>
      [...text.matchAll(/\bout (data|service|operations) (\w+)/g)].map(([, part = '', name = '']) => ({
        at,
        part,
        name,
      })),
    );
    expect(asked.length).toBeGreaterThan(8);
    expect(asked.filter(({ part, name }) => !Object.hasOwn(templateOf(part).Outputs ?? {}, name))).toEqual([]);
  });

  test('every setting in the tables of the guides is one of the stack, and every setting is in a guide', () => {
    const known = settings();
    const written = texts.flatMap(({ at, text }) =>
      /^(?:-c )?[a-z]\w*=[^\s=]+(?: (?:-c )?[a-z]\w*=[^\s=]+)*$/.test(text)
        ? text.split(' ').flatMap((part) => (part.includes('=') ? [{ at, name: part.split('=', 1)[0] ?? '' }] : []))
        : [],
    );
    expect(written.filter(({ name }) => !known.includes(name))).toEqual([]);
    const names = new Set(written.map(({ name }) => name));
    // The guides write the names of one host and the instances of one function, and say "likewise" of the others.
    const told = (name: string) =>
      names.has(name) || names.has(name.replace(/^[a-z]+(?=Domain|CertificateArn|Provisioned)/, 'api'));
    expect(known.filter((name) => !told(name))).toEqual([]);
  });
});
