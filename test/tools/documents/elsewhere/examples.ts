import { COMPILER, type Elsewhere, type Reason } from './reason.ts';

/** The commands that run the examples on the built package. */
const RUN = {
  'fetch-mount': ['npx node examples/fetch-mount/hono.ts', 'npx node examples/fetch-mount/node.ts'],
  'own-app': ['npx node examples/own-app/main.ts'],
  'own-sign-in': ['npx node examples/own-sign-in/main.ts'],
  'use-case-test': ['npx node --test examples/use-case-test/*.test.ts'],
};

const runsOf = (name: string, commands: readonly string[]): readonly (readonly [string, Reason])[] =>
  commands.map((command) => [
    command,
    { why: 'It needs the built package.', by: [`test/peers/package/${name}.test.ts`] },
  ]);

const pageOf = (name: string, commands: readonly string[]): readonly [string, Elsewhere[string]] => [
  `examples/${name}/README.md`,
  {
    'npm run build': COMPILER,
    ...Object.fromEntries(runsOf(name, commands)),
  },
];

const examples = Object.entries(RUN);

/** The pages of the examples, and their table, which names the first command of each. */
export const ON_THE_PACKAGE: Elsewhere = {
  'examples/README.md': Object.fromEntries(examples.flatMap(([name, [first = '']]) => runsOf(name, [first]))),
  ...Object.fromEntries(examples.map(([name, commands]) => pageOf(name, commands))),
};
