import type { Host } from '../../../ports/inbound/hosts.ts';
import type { Credentials } from './served.ts';

type Operation = {
  readonly operationId: string;
  readonly 'x-host': Host;
  readonly 'x-access': { readonly credential: string; readonly role?: string; readonly requires?: readonly string[] };
  readonly servers?: readonly { readonly url: string }[];
};

/** The parts of the served document that the fuzzer reads; schemathesis reads the rest. */
export type ApiDocument = {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** One run of the fuzzer: the operations of one host, called with one credential. */
export type Plan = {
  readonly host: Host;
  readonly caller: string;
  readonly credential: string | null;
  readonly url: string;
  /** The operations of the host. */
  readonly document: ApiDocument;
  /** The names of the operations to call. */
  readonly operations: readonly string[];
};

/** The operation that revokes its own key, so it has a separate key and run. */
const LAST = 'logoutDevice';

type Caller = readonly [name: keyof Credentials | null, host: Host, calls: (operation: Operation) => boolean];

const takes = (credential: string) => (operation: Operation) => operation['x-access'].credential.startsWith(credential);
const isScoped = (operation: Operation) => operation['x-access'].requires?.includes('scoped') === true;
const isLast = (operation: Operation) => operation.operationId === LAST;
const role = (name: string) => (operation: Operation) => operation['x-access'].role === name;
const any = () => true;

/** Each operation is called without a credential and with one that it accepts. */
const CALLERS: readonly Caller[] = [
  [null, 'api', any],
  ['key', 'api', (operation) => takes('key')(operation) && !isScoped(operation) && !isLast(operation)],
  ['productKey', 'api', isScoped],
  ['lastKey', 'api', isLast],
  [null, 'app', any],
  ['key', 'app', takes('key')],
  [null, 'design', any],
  ['collect', 'design', role('collect')],
  ['read', 'design', role('read')],
  ['write', 'design', role('write')],
  ['review', 'design', role('review')],
];

/** The document of one host, whose URL is passed to the fuzzer. Paths without an operation there are omitted. */
const documentOf = (host: Host, document: ApiDocument): ApiDocument => {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const mine = Object.entries(item).filter(([, operation]) => operation['x-host'] === host);
    const withoutServers = mine.map(([method, { servers: _, ...operation }]) => [method, operation]);
    return [path, Object.fromEntries(withoutServers)] as const;
  });
  return { ...document, paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) };
};

const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

/** The runs that call every operation of the served document at its own host, as every permitted caller. */
export const plansOf = (document: ApiDocument, credentials: Credentials): Plan[] =>
  CALLERS.map(([name, host, calls]) => {
    const mine = operationsOf(document).filter((operation) => operation['x-host'] === host && calls(operation));
    return {
      host,
      caller: name ?? 'no credential',
      credential: name && credentials[name],
      url: (mine[0]?.servers ?? document.servers)[0]?.url ?? '',
      document: documentOf(host, document),
      operations: mine.map(({ operationId }) => operationId),
    };
  });
