/**
 * The rules about which folder may import which. `test/peers/architecture/imports.test.ts` runs them and plants a
 * violation of each; by hand: `test/peers/node_modules/.bin/depcruise --config test/peers/architecture/rules.mjs domain
 * application ports adapters runtimes`. A comment says how to fix a violation.
 */

import { TECHNOLOGIES } from './technologies.mjs';

/** The mounts: folders of `adapters` that pass the requests of one runtime to a host. Add a new one here. */
const MOUNTS = ['http', 'lambda-events', 'fetch'].join('|');

const LAYERS = '^(domain|application|ports|adapters|runtimes|infra)/';

/** A package by its name if it isn't installed, and by its files or its types' if it is. */
const moduleNamed = (name) => `(^|/node_modules/|^node_modules/)(@types/)?${name}(/|$)`;

const begins = (path) => `^${path.replaceAll('.', '\\.')}`;

const staysAtHome = ({ name, homes, modules }) => ({
  name: `${name}-stays-at-home`,
  comment: `Only ${homes.join(', ')} may name it. Do the work there and pass the result in, or name a port for the role.`,
  severity: 'error',
  from: { path: LAYERS, pathNot: homes.map(begins) },
  to: { path: modules.map(moduleNamed) },
});

export default {
  forbidden: [
    {
      name: 'domain-stands-alone',
      comment: 'The domain imports no package, no Node module and no other layer. Take what you need as an argument.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'outbound-ports-know-the-domain-only',
      comment:
        'A port is named for a role and says what it needs in the words of the domain. Move the technology into the adapter.',
      severity: 'error',
      from: { path: '^ports/outbound/' },
      to: { pathNot: ['^domain/', '^ports/outbound/', '^(node:)?stream$'] },
    },
    {
      name: 'outbound-ports-name-streams-as-types',
      comment:
        "A port holds no code of Node's: write `import type { Readable } from 'node:stream'`, and in object-store.ts only.",
      severity: 'error',
      from: { path: '^ports/outbound/' },
      to: { path: '^(node:)?stream$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'streams-belong-to-the-object-store-port',
      comment: 'Only ports/outbound/object-store.ts moves bytes. Let another port take and give values.',
      severity: 'error',
      from: { path: '^ports/outbound/', pathNot: '^ports/outbound/object-store\\.ts$' },
      to: { path: '^(node:)?stream$' },
    },
    {
      name: 'inbound-ports-are-declarations',
      comment:
        'An endpoint is data: zod, the domain and other endpoint tables. Behaviour belongs in a use case or an adapter.',
      severity: 'error',
      from: { path: '^ports/inbound/' },
      to: { pathNot: ['^domain/', '^ports/inbound/', moduleNamed('zod')] },
    },
    {
      name: 'use-cases-know-ports-only',
      comment: 'A use case names the domain and outbound ports. Put the rest behind a port that the constructor takes.',
      severity: 'error',
      from: { path: '^application/' },
      to: { pathNot: ['^application/', '^domain/', '^ports/outbound/'] },
    },
    {
      name: 'adapters-stand-apart',
      comment:
        'An adapter knows its own folder, adapters/system/loading.ts, adapters/store/table.ts, table-checks.ts and table-dump.ts; one that answers callers also knows adapters/pipeline or adapters/host. Let the composition hand it another adapter as a port.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: {
        path: '^adapters/',
        pathNot: [
          '^adapters/$1/',
          '^adapters/store/table(-checks|-dump)?\\.ts$',
          '^adapters/system/loading\\.ts$',
          '^adapters/pipeline/',
          '^adapters/host/',
          '^adapters/http/node-requests\\.ts$',
          '^adapters/filesystem/(download-signature|upload-signature|self-signed|receive)\\.ts$',
        ],
      },
    },
    {
      name: 'pipeline-is-for-inbound-adapters',
      comment:
        'Only what turns a call into an answer goes through the pipeline: host, mcp, openapi, oauth. Carry the request to one of them.',
      severity: 'error',
      from: { path: '^adapters/', pathNot: '^adapters/(pipeline|host|mcp|openapi|oauth)/' },
      to: { path: '^adapters/pipeline/' },
    },
    {
      name: 'pipeline-knows-no-host',
      comment:
        'The pipeline answers calls, whatever they came by. Let the host pass in what the pipeline is to know of a request, in the words of RawInput or Credentials.',
      severity: 'error',
      from: { path: '^adapters/pipeline/' },
      to: { path: `^adapters/(host|web|${MOUNTS})/` },
    },
    {
      name: 'hosts-are-for-mounts',
      comment:
        'Only the mounts (MOUNTS, above), the pages in web, and mcp speak of plain requests and replies. MCP is a protocol on top of HTTP that answers as a route of a host, so that every mount carries it. Name a new mount in MOUNTS; give another adapter a port of its own.',
      severity: 'error',
      from: { path: '^adapters/', pathNot: `^adapters/(host|web|mcp|${MOUNTS})/` },
      to: { path: '^adapters/host/' },
    },
    {
      name: 'pages-are-sent-over-http',
      comment:
        'Only the pages in adapters/web send a reply on a connection of Node themselves. Give the reply to the mount that carries it.',
      severity: 'error',
      from: { path: '^adapters/', pathNot: '^adapters/(http|web)/' },
      to: { path: '^adapters/http/node-requests\\.ts$' },
    },
    {
      name: 'mounts-only-carry',
      comment:
        'A mount carries requests to a host and replies back, and knows nothing of what they are about. Move what it decides into adapters/host.',
      severity: 'error',
      from: { path: `^adapters/(${MOUNTS})/` },
      to: { path: '^(application|ports/outbound|adapters/pipeline)/' },
    },
    {
      name: 'functions-hold-no-express',
      comment:
        "A function that imports Express loads it at every start. Write `import type { Express } from 'express'`, and take the app as an argument.",
      severity: 'error',
      from: { path: '^adapters/lambda-events/' },
      to: { path: moduleNamed('express'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'handlers-belong-to-the-pipeline',
      comment:
        'A handler turns a validated call into that of a use case, for every way in. Wire it in runtimes/composition/areas, or for a command in runtimes/cli/services, and answer through the invoker; what two handlers share stands beside them.',
      severity: 'error',
      from: { pathNot: '^(adapters/pipeline/handlers|runtimes/composition/areas|runtimes/cli/services|test)/' },
      to: { path: '^adapters/pipeline/handlers/' },
    },
    {
      name: 'areas-only-wire',
      comment:
        'An area of the composition, and a service of commands, joins handlers, use cases and adapters, and decides nothing. Move what shapes a request or an answer to adapters/pipeline/handlers/<area>.ts, and a rule to the domain.',
      severity: 'error',
      from: { path: '^runtimes/(composition/areas|cli/services)/' },
      to: { path: '^(domain|ports/inbound)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'permits-come-from-the-guard',
      comment:
        "Whoever grants a permit skips every guard. Take the permit of the call or of the page, or make it an operator's command in runtimes/cli, runtimes/copy, runtimes/doctor or runtimes/files.",
      severity: 'error',
      from: {
        pathNot: [
          '^adapters/pipeline/guard\\.ts$',
          '^adapters/host/(signed-urls|webhooks)\\.ts$',
          '^adapters/web/account/guard\\.ts$',
          '^adapters/oauth/(device-grant|token-writes)\\.ts$',
          '^runtimes/(cli|copy|doctor|files|worker)/',
          '^runtimes/express/shop\\.ts$',
          '^runtimes/package/rules\\.ts$',
          '^(examples|test)/',
        ],
      },
      to: { path: '^domain/access/grant-permit\\.ts$' },
    },
    {
      name: 'documentation-is-for-readers',
      comment:
        'The texts of endpoints answer no request, and would be a part of every start. Only openapi and mcp, which tell clients of them, load them, and mcp does so with its first message; and the entry of the package that gives them away. Move what a request needs into the row of the endpoint.',
      severity: 'error',
      from: {
        pathNot:
          '^((adapters/openapi|adapters/mcp|test)/|ports/inbound/documentation\\.ts$|runtimes/package/endpoints\\.ts$)',
      },
      to: { path: '^ports/inbound/(documentation\\.ts$|.*\\.texts\\.ts$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'object-stores-share-among-themselves',
      comment:
        'Only the object stores (memory, filesystem, s3) sign URLs and receive bytes. Ask the ObjectStore port instead.',
      severity: 'error',
      from: { path: '^adapters/', pathNot: '^adapters/(memory|filesystem|s3)/' },
      to: { path: '^adapters/filesystem/(download-signature|upload-signature|self-signed|receive)\\.ts$' },
    },
    {
      name: 'engines-know-no-use-case',
      comment: 'An engine keeps items or bytes for whoever asks. Move what it wanted to know into the caller.',
      severity: 'error',
      from: { path: '^adapters/(memory|sqlite|dynamodb|postgres|filesystem|s3)/' },
      to: { path: '^application/' },
    },
    {
      name: 'runtimes-are-entries',
      comment: 'Nothing depends on how it is run. Take what you need as an argument and let the composition pass it.',
      severity: 'error',
      from: { path: LAYERS, pathNot: '^(runtimes|infra/test)/' },
      to: { path: '^runtimes/' },
    },
    {
      name: 'tests-are-for-tests',
      comment: 'What runs in production imports nothing of test/. Move what both need to where it belongs.',
      severity: 'error',
      from: { pathNot: '^(test|infra/test)/|^runtimes/package/contracts\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'keys-are-of-known-families',
      comment: 'The rights of the functions go by the families of partitions. Take the types of keys from families.ts.',
      severity: 'error',
      from: { path: '^adapters/store/keys/', pathNot: '^adapters/store/keys/families\\.ts$' },
      to: { path: '^adapters/store/(typed-)?table\\.ts$' },
    },
    {
      name: 'infra-reads-the-endpoint-table',
      comment:
        'The stacks read ports/inbound, adapters/lambda-events/deployment.ts, and the names of partitions and folders that rights are given on; they name runtime entries by path. Declare what else they need in one of these.',
      severity: 'error',
      from: { path: '^infra/', pathNot: '^infra/test/' },
      to: {
        path: '^(domain|application|ports/outbound|adapters|runtimes|test)/',
        pathNot: '^adapters/(lambda-events/deployment|store/keys/families|dynamodb/partitions|s3/prefixes)\\.ts$',
      },
    },
    {
      name: 'packages-have-a-home',
      comment:
        'Say in technologies.mjs, beside these rules, where this package is at home, so that one folder at most knows it.',
      severity: 'error',
      from: { path: '^(domain|application|ports|adapters|runtimes)/' },
      to: {
        dependencyTypesNot: ['local', 'core'],
        // The compiler reports missing files of our own.
        pathNot: ['^\\.{1,2}/(?!.*node_modules/)', ...TECHNOLOGIES.flatMap(({ modules }) => modules.map(moduleNamed))],
      },
    },
    {
      name: 'production-needs-no-development-package',
      comment:
        'It is missing where only production packages are installed. Move it to "dependencies", or import its type.',
      severity: 'error',
      from: {
        path: '^(domain|application|ports|adapters|runtimes)/',
        // Functions are bundled in a checkout.
        pathNot: '^(adapters/lambda-events|runtimes/lambda)/',
      },
      // An optional peer dependency is also a development package of the checkout.
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
    {
      name: 'barrels-are-for-outsiders',
      comment: 'An entry of the package loads all that it names. Import the module itself.',
      severity: 'error',
      from: { path: LAYERS },
      to: { path: '^runtimes/package/' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one idea or three. Move what both need into a file of its own.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-areas-without-circles',
      comment:
        'Two areas of the domain (domain/<area>) need each other. Move what both need to the area that owns it, and what speaks of many areas to domain/store-document.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^domain/[^/]+$' },
      to: { circular: true, path: '^domain/[^/]+$' },
    },
    {
      name: 'design-stands-apart',
      comment:
        'A reader of licenses meets no collect runs, documents or screens. Move what both need to shared, and let the store document and the files of the store alone name the gallery.',
      severity: 'error',
      from: {
        path: '^(domain|application|ports/outbound)/',
        pathNot: ['^(domain|application|ports/outbound)/(design|store-document)/', '^ports/outbound/needs\\.ts$'],
      },
      to: { path: '/design/' },
    },
    ...TECHNOLOGIES.map(staysAtHome),
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.d.ts'],
    },
  },
};
