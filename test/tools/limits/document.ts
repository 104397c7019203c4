import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { bytes, plain, type Row, type Section } from './row.ts';
import { SECTIONS } from './sections.ts';

const HEAD = `# Limits

Everything that one client could use up is bounded. \`npm run -s limits\` writes this page from the constants in the code,
and a test fails where the page is out of date. A status in the column "a client sees" comes with a sentence that says
what to do; a 429 and a 503 have \`Retry-After\` too.

"Setting" is an environment variable of the server ([the README lists them](../README.md#configure-it)). A bound without one
is a constant in the file of the last column.`;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const rowLine = ({ what, bound, as, per, seen, lifetime, setting }: Row): string => {
  const constants = Array.isArray(bound) ? bound : [bound];
  const values = constants.map(({ value }) => value);
  const written = as ? as(...values) : values.map(plain).join(', ');
  const files = [...new Set(constants.map(({ file }) => `\`${file}\``))].join(', ');
  return line([what, written, per, seen, lifetime, setting === undefined ? '–' : `\`${setting}\``, files]);
};

const table = (head: readonly string[], lines: readonly string[]): string =>
  [line(head), line(head.map(() => '---')), ...lines].join('\n');

const sectionText = ({ title, text, rows }: Section): string =>
  [
    `## ${title}`,
    ...(text === undefined ? [] : [text]),
    table(['limit', 'bound', 'per', 'a client sees', 'lifetime', 'setting', 'declared in'], rows.map(rowLine)),
  ].join('\n\n');

const filesOf = ({ files = {} }: EndpointSpec): string =>
  Object.entries(files)
    .map(([name, { maxBytes }]) => `\`${name}\` ${bytes(maxBytes)}`)
    .join(', ') || '–';

/** The bodies of the endpoints whose limits differ from the usual one. */
const bodiesText = (usual: number): string => {
  const special = allEndpoints.filter(({ bodyLimit, files, perMinute }) => bodyLimit ?? files ?? perMinute);
  const lines = special.map((endpoint) =>
    line([
      `\`${endpoint.method} ${endpoint.path}\``,
      bytes(endpoint.bodyLimit ?? usual),
      filesOf(endpoint),
      endpoint.perMinute === undefined ? '–' : `${endpoint.perMinute} a minute from one address`,
    ]),
  );
  return `## Bodies of each endpoint

The body of a request, or the fields of a form together, may have ${bytes(usual)}; a longer one is 413. These endpoints
differ:

${table(['endpoint', 'body', 'files', 'a rate of its own (429)'], lines)}`;
};

/** The text of docs/limits.md. */
export const limitsDocument = (usualBody: number): string =>
  `${[HEAD, ...SECTIONS.map(sectionText), bodiesText(usualBody)].join('\n\n')}\n`;
