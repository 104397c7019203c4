import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';

/** Milliseconds after which a request is given up: to look up the name, connect, and get the whole answer. */
export const GIVES_UP_MS = 10_000;

/** Bytes of an answer that are read. The answers of a probe are far shorter. */
const MOST_BYTES = 64 * 1024;

export type ProbeRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type Answer = { readonly status: number; readonly text: string };

const textOf = async (response: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw Object.assign(new Error('The answer is too large.'), { code: 'ANSWER_TOO_LARGE' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

/**
 * Makes a request on a connection of its own, so that the name and the certificate are looked at each time, and follows
 * no redirect. Rejects with an error that has a `code` where no whole answer comes within the time.
 */
export const boundedRequest = async (
  { method, url, headers, body }: ProbeRequest,
  givesUpMs = GIVES_UP_MS,
): Promise<Answer> => {
  const signal = AbortSignal.timeout(givesUpMs);
  const send = url.startsWith('https:') ? overHttps : overHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = send(url, { method, agent: false, signal, headers: { ...headers } });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  try {
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  } finally {
    response.destroy();
  }
};
