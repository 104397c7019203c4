import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../../support/download-server.ts';

/** A refusal with which a test makes the host answer. `drop` closes the connection without an answer. */
export type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'drop';

export type Call = {
  /** The step of the protocol: open, assets, captures, submit, fail, run or put. */
  readonly step: string;
  readonly at: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Buffer>>;
};

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title>
<link rel="stylesheet" href="/style.css"></head><body><h1>A page</h1>
<form><input type="hidden" name="csrf" value="a-secret-token"><input name="q" value="kept"></form></body></html>`;
const STYLE = 'body { color: rebeccapurple; margin: 0 }';

const RUN = { id: 7, error: null, problems: [], uploads: { assets: 0, captures: 0 }, replay: null };
const REPLAY = {
  total: 0,
  done: 0,
  screens_added: 0,
  screens_changed: 0,
  screens_unchanged: 0,
  skipped: 0,
  problems: 0,
};

const formIn = async (req: IncomingMessage): Promise<Pick<Call, 'fields' | 'files'>> => {
  const body = await buffer(req);
  const type = req.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return { fields: {}, files: { body } };
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const fields: Record<string, string> = {};
  const files: Record<string, Buffer> = {};
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') fields[name] = value;
    else files[name] = Buffer.from(await value.arrayBuffer());
  }
  return { fields, files };
};

/**
 * A small server that implements the design host's collecting endpoints, with two pages to collect. `decide` may answer
 * a call instead; it receives the number of earlier calls of the same step.
 */
export const openFakeDesignHost = async (
  decide: (call: Call, before: number) => Answer | undefined = () => undefined,
) => {
  const calls: Call[] = [];
  const waits: (() => void)[] = [];
  let polls = 0;
  const reply = (res: ServerResponse, answer: Answer): void => {
    if (answer === 'drop') return void res.destroy();
    res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    res.end(JSON.stringify(answer.body ?? {}));
  };
  const usual = ({ step, fields, files }: Call): Answer => {
    if (step === 'open') return { status: 201, body: { run: { ...RUN, state: 'collecting' } } };
    if (step === 'assets') return { status: 201, body: { asset: { sha256: fields['sha256'] }, duplicate: false } };
    if (step === 'captures') {
      const uploads = Object.fromEntries(
        ['image', 'html'].flatMap((name) => {
          const sum = fields[`${name}_sha256`];
          const signed = { method: 'PUT', url: `${host.url}/uploads/${sum}`, headers: { 'content-type': `${name}/x` } };
          return sum === undefined || files[name] ? [] : [[name, signed]];
        }),
      );
      return { status: 201, body: { capture: { number: 1 }, replaced: false, uploads } };
    }
    if (step === 'put') return { status: 201 };
    if (step === 'run') {
      const state = polls++ === 0 ? 'replaying' : 'replayed';
      return { status: 200, body: { run: { ...RUN, state, replay: { ...REPLAY, total: 2, done: polls } } } };
    }
    return { status: 200, body: { run: { ...RUN, state: step === 'fail' ? 'failed' : 'submitted' } } };
  };
  const called = async (step: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const call = { step, at: Date.now(), ...(await formIn(req)) };
    const before = calls.filter((one) => one.step === step).length;
    calls.push(call);
    for (const told of waits.splice(0)) told();
    reply(res, decide(call, before) ?? usual(call));
  };
  const host = await listen((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://host');
    const [, of] = /^\/api\/agent\/collect\/runs(?:\/7)?(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (pathname.startsWith('/uploads/')) return void called('put', req, res);
    if (pathname.startsWith('/api/')) {
      return void called(of ?? (req.method === 'POST' ? 'open' : 'run'), req, res).catch(() => res.destroy());
    }
    if (pathname === '/style.css') return void res.setHeader('content-type', 'text/css').end(STYLE);
    const answer = decide({ step: pathname, at: Date.now(), fields: {}, files: {} }, 0);
    if (answer) return reply(res, answer);
    res.setHeader('content-type', 'text/html').end(PAGE);
  });
  return {
    ...host,
    calls,
    of: (step: string) => calls.filter((call) => call.step === step),
    styleSum: hash('sha256', STYLE),
    /** Resolves with the next call. */
    next: () => new Promise<void>((resolve) => waits.push(resolve)),
  };
};
