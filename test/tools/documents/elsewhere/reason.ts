/** Why a command can't run in the tests of the documents, and the files of the project that check it in its place. */
export type Reason = { readonly why: string; readonly by: readonly string[] };

/** Reasons by document and command. */
export type Elsewhere = Readonly<Record<string, Readonly<Record<string, Reason>>>>;

export const CI: Reason = { why: 'It runs the tests, or what they need.', by: ['.ci/run'] };
export const SOURCES: Reason = {
  why: 'It changes the sources; npm run lint names what it would change.',
  by: ['.ci/run'],
};
export const COMPILER: Reason = { why: 'It needs the compiler.', by: ['test/peers/package/setup.ts'] };
export const MAC: Reason = { why: 'It needs a Mac.', by: ['test/appcast'] };

export const INSPECTOR: Reason = {
  why: 'The lock file of the checks has the package, so that its newest version is not asked for.',
  by: ['test/peers/mcp/clients.test.ts'],
};

export const OF_ANOTHER_MAKER: Reason = {
  why: 'It needs a program of another maker, which changes the settings of a person.',
  by: ['test/peers/mcp/clients.test.ts', 'test/peers/mcp/signing-in.test.ts'],
};

/** Gives commands one reason. */
export const all = (reason: Reason, commands: readonly string[]): Readonly<Record<string, Reason>> =>
  Object.fromEntries(commands.map((command) => [command, reason]));
