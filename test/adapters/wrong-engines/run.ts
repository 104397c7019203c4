import { startVitest } from 'vitest/node';

/** A case that was run, with the engine in the name of the outermost `describe`. */
export type Ran = { readonly engine: string; readonly title: string; readonly passed: boolean };

/**
 * `node run.ts PATTERN` runs the cases whose names end with the pattern on every engine of `contracts.ts`, and prints a
 * list of `Ran` as JSON. They can't run inside a test, and no configuration includes them, because most of them must
 * fail.
 */
const [pattern = ''] = process.argv.slice(2);
const vitest = await startVitest('test', [], {
  config: false,
  include: ['test/adapters/wrong-engines/contracts.ts'],
  testNamePattern: pattern,
  reporters: [{}],
  watch: false,
});
const ran = vitest.state.getTestModules().flatMap((module): Ran[] =>
  [...module.children.allTests()].flatMap((test) => {
    const { state } = test.result();
    const engine = test.fullName.split(' > ')[0] as string;
    return state === 'skipped' ? [] : [{ engine, title: test.name, passed: state === 'passed' }];
  }),
);
await vitest.close();
process.exitCode = 0;
process.stdout.write(JSON.stringify(ran));
