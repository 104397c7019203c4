import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Answer, Machine } from './machine.ts';
import { MEMO, TOOL } from './shop-files.ts';

/** The feeds other than Sparkle's, and a team: no product of this shop has them. */
const NOT_HERE = ['openUpdateFile', 'getTauriUpdate', 'showTeam'];

/** Every account-side GET with its own answer instead of a redirect to a file. */
const READS = allEndpoints.filter(
  ({ id, method, host, output }) =>
    method === 'GET' && host !== 'design' && host !== 'shop' && output.kind !== 'redirect' && !NOT_HERE.includes(id),
);

/** The reads whose answers an export deliberately omits, because it has no devices. */
const OF_DEVICES = ['getProductLicense'];

/** The values for path parameters. */
const VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  product: [MEMO, TOOL],
  id: [MEMO],
  order: [5],
  path: ['guide.md'],
  slug: ['notes'],
};

const filled = (path: string): string[] => {
  const [whole, parameter] = /\{(\w+)\}/.exec(path) ?? [];
  if (whole === undefined || parameter === undefined) return [path];
  return (VALUES[parameter] ?? [`no-${parameter}`]).flatMap((value) => filled(path.replace(whole, String(value))));
};

const pathsOf = ({ path }: EndpointSpec): string[] => filled(path);

/** The answer without values that differ between servers and moments: URLs of the server, and links that expire. */
const settled = ({ status, text }: Answer): string =>
  `${status} ${text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://shop')
    .replaceAll(/\?expires=\d+[^"\s]*/g, '')
    .replaceAll(/"download_expires_at":"[^"]+"/g, '"download_expires_at":"soon"')}`;

/** A buyer's answers to every account-side GET, by path. */
export const answersTo = async (machine: Machine, key: string): Promise<Record<string, string>> => {
  const answers: Record<string, string> = {};
  for (const endpoint of READS) {
    const host = endpoint.host === 'app' ? 'app' : 'url';
    for (const path of pathsOf(endpoint)) answers[path] = settled(await machine.call(path, { key, host }));
  }
  return answers;
};

/** The answer without values that new keys sign, and without the moment of signing. */
const unsigned = (answer: string): string =>
  answer
    .replaceAll(/edSignature="[^"]+"/g, 'edSignature="new"')
    .replaceAll(/"signature":"[^"]+"/g, '"signature":"new"')
    .replaceAll(/"signed_at":"[^"]+"/g, '"signed_at":"then"');

/** The answers that a store created from an export also gives. */
export const fromAnExport = (answers: Readonly<Record<string, string>>): Record<string, string> => {
  const left = READS.filter(({ id }) => OF_DEVICES.includes(id)).flatMap(pathsOf);
  return Object.fromEntries(
    Object.entries(answers).flatMap(([path, answer]) => (left.includes(path) ? [] : [[path, unsigned(answer)]])),
  );
};
