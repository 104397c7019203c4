/** The documents whose commands all run in another test, with that test. */
export const WALKED: Readonly<Record<string, readonly string[]>> = {
  'CONTRIBUTING.md': ['.ci/run', 'test/nightly/release.test.ts'],
  'docs/aws.md': ['test/aws/guide.test.ts'],
  'docs/machines.md': ['test/postgres/guide.test.ts'],
  'docs/extending.md': ['test/tools/extending/walks.test.ts'],
  'examples/lmdb-engine/README.md': ['test/peers/package/lmdb-engine.test.ts'],
};

/** The commands that can't run here, each with the project's files that check it instead. */
export const ELSEWHERE: readonly (readonly [RegExp, ...string[]])[] = [
  [
    /^(?:git pull && )?npm (?:ci(?! && npm start)|test|install(?! \$REPO)|pack)\b|^npm run (?:build|format|lint|test|typecheck)\b/,
    '.ci/run',
  ],
  [/^npx vitest /, '.ci/run'],
  [/^(?:claude|code|codex) /, 'test/peers/mcp/clients.test.ts', 'test/peers/mcp/signing-in.test.ts'],
  [/^npx @modelcontextprotocol/, 'test/peers/mcp/clients.test.ts', 'test/peers/mcp/design-clients.test.ts'],
  [/^npx mcp-remote /, 'test/peers/mcp/clients.test.ts', 'test/peers/browser/mcp-remote.test.ts'],
  [/^npx node (?:--test )?examples\/[\w-]+\//, 'test/peers/package/setup.ts'],
  [/^(?:ditto|generate_keys) /, 'test/peers/appcast'],
  [/^chmod \d+$/, 'test/adapters/secret-files.test.ts', 'test/examples/sample-artifacts.test.ts'],
  [/^openssl genpkey /, 'test/peers/openssl'],
  [/^(?:apt-get|useradd|\/usr\/local\/bin\/node) /, '.ci/run'],
  [/^(?:journalctl|systemctl) /, 'test/peers/machine/units.test.ts'],
  [/^certbot |^nginx -t$|https:\/\/api\.\$SHOP/, 'test/peers/machine/proxies.test.ts'],
  [/^node "\/opt\/|^docker |^install .*container$/, 'test/peers/machine/container.test.ts'],
  [
    /(?<![\w./-])aws [a-z]|^npm run (?:-s )?(?:cdk|synth) /,
    'test/aws/aws-commands.test.ts',
    'infra/test/guide.test.ts',
  ],
];

/** The pattern of a command that can't run here. */
export const elsewhere = (command: string): RegExp | undefined =>
  ELSEWHERE.find(([pattern]) => pattern.test(command))?.[0];
