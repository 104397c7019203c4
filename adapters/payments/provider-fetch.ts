import { setTimeout as pause } from 'node:timers/promises';

/** A page of a hundred orders with their lines is about a megabyte. */
const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const TRIES = 4;
const LONGEST_REST_SECONDS = 30;

const once = async (url: string | URL | Request, init: RequestInit | undefined): Promise<Response> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { body, status, headers } = await fetch(url, { ...init, redirect: 'error', signal });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The answer has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return new Response(body && Buffer.concat(chunks), { status, headers });
};

/**
 * A `fetch` for reading a payment provider's API, with a limit on time and bytes. It retries a 429, a 5xx or a missing
 * response up to three times, after the seconds in `Retry-After` (at most 30) or after 1, 2 and 4 seconds.
 */
export const providerFetch: typeof fetch = async (url, init) => {
  for (let tried = 1; ; tried++) {
    const answer = await once(url, init).catch((error: Error) => error);
    const isFault = answer instanceof Error || answer.status === 429 || answer.status >= 500;
    if (isFault && tried < TRIES) {
      const seconds = answer instanceof Error ? Number.NaN : Number(answer.headers.get('retry-after') ?? Number.NaN);
      await pause(1000 * Math.min(LONGEST_REST_SECONDS, seconds >= 0 ? seconds : 2 ** (tried - 1)));
    } else if (answer instanceof Error) throw answer;
    else return answer;
  }
};
