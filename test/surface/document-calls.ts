import { type Agent, anAgent } from './agents.ts';
import { get, post, type Reply, send } from './client.ts';
import type { Mount } from './mount.ts';

export const DOCS = '/api/agent/docs';
export const REVIEWS = '/api/agent/reviews';
export const PENDING = '/api/agent/reviews/pending';
export const MANIFEST = '/api/agent/manifest';
export const TEXT = '# Buttons\n\nA button has one line of text.\n';

let named = 0;

/** A slug that no other case uses. */
export const aSlug = (): string => {
  named += 1;
  return `case-${process.pid}-${named}`;
};

const agentsOf = async ({ service }: Mount) => {
  const [reader, writer, other, reviewer] = await Promise.all([
    anAgent(service, 'read'),
    anAgent(service, 'write', 'first writer'),
    anAgent(service, 'write', 'second writer'),
    anAgent(service, 'review', 'first reviewer'),
  ]);
  return { reader, writer, other, reviewer };
};

/** New agents with the roles that work on documents, and their calls over HTTP. */
export const documentCalls = async (mount: Mount) => {
  const agents = await agentsOf(mount);
  const { reader, writer, reviewer } = agents;
  const read = (slug: string, query = ''): Promise<Reply> => get(mount, `${DOCS}/${slug}${query}`, reader.key);
  const write = (slug: string, base_version: number, body = TEXT, by: Agent = writer): Promise<Reply> =>
    post(mount, `${DOCS}/${slug}/versions`, by.key, { body, base_version });
  const submit = (slug: string, number: number | string, by: Agent = writer): Promise<Reply> =>
    send(mount, 'POST', `${DOCS}/${slug}/versions/${number}/submit`, { key: by.key });
  const judge = (slug: string, version: number, verdict = 'approved', reason = 'As agreed.'): Promise<Reply> =>
    post(mount, REVIEWS, reviewer.key, { slug, version, verdict, reason });
  /** The number of a new version in review. */
  const submitted = async (slug: string, base: number, body = TEXT): Promise<number> => {
    const { number } = (await write(slug, base, body)).body.version;
    await submit(slug, number);
    return number;
  };
  /** The number of a new current version. */
  const approved = async (slug: string, base: number, body = TEXT): Promise<number> => {
    const number = await submitted(slug, base, body);
    const { status, text } = await judge(slug, number);
    if (status !== 200) throw new Error(text);
    return number;
  };
  return { ...agents, read, write, submit, judge, submitted, approved };
};

export type DocumentCalls = Awaited<ReturnType<typeof documentCalls>>;
