import { hasPassed, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';

type Fetch = (url: string) => Promise<Response>;

/** Long enough for what follows one request; short for somebody who mends a document. */
const REMEMBERED_MS = 10_000;

/** Answers that are remembered at once. Each has a few KB, as the fetch bounds it. */
const MOST = 200;

type Remembered = { readonly until: Instant; readonly answer: () => Response };

/**
 * Fetches the metadata documents of clients. The provider remembers those that it can use, and asks again for each of
 * the others, twice in one request. So every answer is remembered for ten seconds here, a failure too.
 */
export class ClientDocuments {
  readonly #fetch: Fetch;
  readonly #clock: Clock;
  readonly #remembered = new Map<string, Remembered>();

  constructor(fetch: Fetch, clock: Clock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /** True where nothing needs to be fetched for this address. */
  has(url: string): boolean {
    return this.#find(url) !== undefined;
  }

  /** The answer of the address. Throws what the fetch threw. */
  async get(url: string): Promise<Response> {
    const answer = this.#find(url) ?? (await this.#ask(url));
    return answer();
  }

  #find(url: string): Remembered['answer'] | undefined {
    const found = this.#remembered.get(url);
    return found && !hasPassed(found.until, this.#clock.now()) ? found.answer : undefined;
  }

  async #ask(url: string): Promise<Remembered['answer']> {
    const answer = await this.#fetch(url).then(
      async (response) => {
        const { status, headers } = response;
        const body = response.body && (await response.arrayBuffer());
        return () => new Response(body, { status, headers });
      },
      (error: unknown) => () => {
        throw error;
      },
    );
    const [oldest] = this.#remembered.keys();
    this.#remembered.delete(url);
    if (oldest !== undefined && this.#remembered.size >= MOST) this.#remembered.delete(oldest);
    const until = toInstant(millis(this.#clock.now()) + REMEMBERED_MS);
    this.#remembered.set(url, { until, answer });
    return answer;
  }
}
