import { AT_AWS } from './elsewhere/aws.ts';
import { ON_THE_PACKAGE } from './elsewhere/examples.ts';
import { ON_A_MACHINE } from './elsewhere/machine.ts';
import { CI, type Elsewhere, INSPECTOR, MAC, OF_ANOTHER_MAKER, type Reason, SOURCES } from './elsewhere/reason.ts';

/** The documents whose commands all run in another test, each with the reason. */
export const WALKED: Readonly<Record<string, Reason>> = {
  'docs/extending.md': {
    why: 'It changes the sources and compiles them, which is done in a copy.',
    by: ['test/tools/extending/walks.test.ts'],
  },
  'docs/aws.md': {
    why: 'It needs a table, a bucket and secrets; what needs an account of AWS itself is listed below.',
    by: ['test/aws/guide.test.ts'],
  },
  'examples/postgres-engine/README.md': {
    why: 'It needs a project of its own and a server of PostgreSQL.',
    by: ['test/peers/package/postgres.test.ts'],
  },
};

/**
 * The commands that can't run here, exactly as the documents have them, each with the reason and with what checks it in
 * its place. Whatever is not in the list runs.
 */
export const ELSEWHERE: Elsewhere = {
  ...AT_AWS,
  ...ON_A_MACHINE,
  'README.md': {
    'npm ci': CI,
    'claude mcp add --transport http account http://127.0.0.1:8787/api/mcp --header "Authorization: Bearer $ACCOUNT_API_KEY"':
      OF_ANOTHER_MAKER,
    'codex mcp add account --url http://127.0.0.1:8787/api/mcp --bearer-token-env-var ACCOUNT_API_KEY':
      OF_ANOTHER_MAKER,
  },
  'CONTRIBUTING.md': {
    'npm ci                           # runs the service and its tests': CI,
    'npm ci --prefix test/peers       # linters and real clients, for the further checks': CI,
    'npm test': CI,
    'npm run format': SOURCES,
    'npm run lint': CI,
    'npm run typecheck': CI,
  },
  'docs/appcasts.md': {
    'generate_keys -x .data/keys/artifact-signing.pem      # on the Mac that has the key in its keychain': MAC,
    'openssl genpkey -algorithm ed25519': {
      why: 'It shows where a key in PEM may come from.',
      by: ['test/openssl'],
    },
    'chmod 600': { why: 'It names the mode of a file.', by: ['test/adapters/secret-files.test.ts'] },
  },
  'docs/design-host.md': {
    'claude mcp add --transport http design http://127.0.0.1:8788/mcp --header "Authorization: Bearer $READ"':
      OF_ANOTHER_MAKER,
    'npx @modelcontextprotocol/inspector@latest --cli --server-url http://127.0.0.1:8788/mcp --transport http \\\n  --header "Authorization: Bearer $READ" --method resources/list':
      { why: INSPECTOR.why, by: ['test/peers/mcp/design-clients.test.ts'] },
  },
  ...ON_THE_PACKAGE,
  'examples/store/sources/library-keeper/library-keeper/SKILL.md': {
    'code --install-extension FILE.vsix': OF_ANOTHER_MAKER,
    'ditto -x -k FILE.zip /Applications': MAC,
    'chmod 755': { why: 'It names the mode of a program.', by: ['test/examples/sample-artifacts.test.ts'] },
  },
};
