import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** A file to upload, with its SHA-256 in lower-case hex. */
export type FileToSend = { readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string; readonly type: string };

export const fileOf = (bytes: Uint8Array<ArrayBuffer>, type: string): FileToSend => ({
  bytes,
  type,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

type Progress = Readonly<
  Record<'total' | 'done' | 'screens_added' | 'screens_changed' | 'screens_unchanged' | 'skipped' | 'problems', number>
>;

/** The parts of a run that the collector reads. */
export type Run = {
  readonly id: number;
  readonly state: 'collecting' | 'submitted' | 'replaying' | 'replayed' | 'failed' | 'expired';
  readonly error: string | null;
  readonly uploads: { readonly assets: number; readonly captures: number };
  readonly replay: Progress | null;
  readonly problems: readonly { readonly capture: number; readonly code: string; readonly message: string }[];
};

/** The run of another agent, which holds the lock. */
export type Holder = { readonly id: number; readonly agent: string; readonly lease_expires_at: string };

type SignedUpload = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** A request that the design host refused for good. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(what: string, status: number, body: Readonly<Record<string, unknown>>) {
    super(`${what} was refused (${status}): ${String(body['message'] ?? 'no reason was given')}`);
    this.status = status;
    this.body = body;
  }
}

/** Another run holds the lock. */
export class RunHeld extends Error {
  override name = 'RunHeld';
  readonly holder: Holder;

  constructor(holder: Holder) {
    super(`Run ${holder.id} of ${holder.agent} is open, until ${holder.lease_expires_at} at the latest.`);
    this.holder = holder;
  }
}

const ATTEMPTS = 6;
const PAUSE_MS = 500;
/** The most seconds of a Retry-After that are waited. */
const MOST_WAIT_SECONDS = 120;

/** True for an answer that another try may change. */
const mayPass = (status: number): boolean => status === 408 || status === 429 || status >= 500;

const bodyOf = async (response: Response): Promise<Record<string, unknown>> => {
  try {
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
};

type Sent = { readonly method?: string; readonly body?: FormData | string; readonly isSafe?: boolean };

/** The collecting side of the design host's agent API. Requests are repeated where that is safe and may help. */
export class DesignApi {
  readonly #url: string;
  readonly #token: string;
  readonly #signal: AbortSignal;
  readonly #told: (line: string) => void;
  /** The smallest form that was too large; larger ones go by signed uploads at once. */
  #tooLarge = Number.POSITIVE_INFINITY;

  constructor(url: string, token: string, { signal, told }: { signal: AbortSignal; told: (line: string) => void }) {
    this.#url = url;
    this.#token = token;
    this.#signal = signal;
    this.#told = told;
  }

  /** Throws RunHeld while the run of another agent is open. */
  async open(run: { viewports: readonly string[]; langs: readonly string[]; apps: readonly string[] }): Promise<Run> {
    try {
      // A repeated request would find its own run open, so it is repeated only where the first one opened none.
      const opened = await this.#call('The run', 'runs', { method: 'POST', body: JSON.stringify(run), isSafe: false });
      return opened['run'] as Run;
    } catch (error) {
      const holder = error instanceof Refused && error.status === 409 ? error.body['run'] : undefined;
      throw holder ? new RunHeld(holder as Holder) : error;
    }
  }

  async run(id: number): Promise<Run> {
    return (await this.#call('The run', `runs/${id}`, {}))['run'] as Run;
  }

  async addAsset(runId: number, url: string, file: FileToSend): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ sha256: file.sha256, type: 'css', url })) form.set(name, value);
    form.set('file', new Blob([file.bytes], { type: file.type }), 'style.css');
    await this.#call(`The style sheet ${url}`, `runs/${runId}/assets`, { method: 'POST', body: form });
  }

  /**
   * Uploads a capture. Where a form with its files is too large for the way to the server, the capture goes ahead with
   * the sums of its files, and each file follows by the signed upload of the answer.
   */
  async addCapture(
    runId: number,
    fields: Readonly<Record<string, string>>,
    files: Readonly<Partial<Record<'image' | 'html', FileToSend>>>,
  ): Promise<void> {
    const size = Object.values(files).reduce((sum, { bytes }) => sum + bytes.length, 0);
    const send = (form: FormData) =>
      this.#call(`The capture of ${fields['url']}`, `runs/${runId}/captures`, { method: 'POST', body: form });
    if (size < this.#tooLarge) {
      const whole = formOf(fields);
      for (const [name, { bytes, type }] of Object.entries(files)) whole.set(name, new Blob([bytes], { type }), name);
      try {
        return void (await send(whole));
      } catch (error) {
        if (!(error instanceof Refused && error.status === 413) || size === 0) throw error;
        this.#tooLarge = size;
        this.#told(`A form of ${size} bytes is too large here; files as large as that go by signed uploads.`);
      }
    }
    const promised = formOf(fields);
    for (const [name, { bytes, sha256 }] of Object.entries(files)) {
      promised.set(`${name}_sha256`, sha256);
      promised.set(`${name}_size`, String(bytes.length));
    }
    const uploads = ((await send(promised))['uploads'] ?? {}) as Partial<Record<'image' | 'html', SignedUpload>>;
    for (const name of ['image', 'html'] as const) {
      const [upload, file] = [uploads[name], files[name]];
      if (upload && file) await this.#put(upload, file);
    }
  }

  async fail(runId: number, error: string): Promise<void> {
    // The run is closed although the collector was stopped: the signal of the stop must not end this request.
    const signal = AbortSignal.timeout(5000);
    const body = JSON.stringify({ error: error.slice(0, 2000) });
    await fetch(this.#address(`runs/${runId}/fail`), { method: 'POST', headers: this.#headers(body), body, signal });
  }

  async submit(runId: number): Promise<Run> {
    try {
      return (await this.#call('The submission', `runs/${runId}/submit`, { method: 'POST', body: '{}' }))['run'] as Run;
    } catch (error) {
      // The first of two tries may have arrived although its answer did not.
      const run = error instanceof Refused && error.status === 409 ? await this.run(runId) : undefined;
      if (run && ['submitted', 'replaying', 'replayed'].includes(run.state)) return run;
      throw error;
    }
  }

  #address(path: string): string {
    return `${this.#url}/api/agent/collect/${path}`;
  }

  #headers(body: FormData | string | undefined): Record<string, string> {
    return {
      authorization: `Bearer ${this.#token}`,
      accept: 'application/json',
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    };
  }

  async #call(what: string, path: string, { method = 'GET', body, isSafe = true }: Sent) {
    const response = await this.#repeated(what, isSafe, () =>
      fetch(this.#address(path), {
        method,
        headers: this.#headers(body),
        signal: this.#signal,
        ...(body !== undefined && { body }),
      }),
    );
    const read = await bodyOf(response);
    if (!response.ok) throw new Refused(what, response.status, read);
    return read;
  }

  async #put({ url, headers }: SignedUpload, { bytes }: FileToSend): Promise<void> {
    const what = `A signed upload of ${bytes.length} bytes`;
    const send = () => fetch(url, { method: 'PUT', headers, body: bytes, signal: this.#signal });
    const response = await this.#repeated(what, true, send);
    // 412: the store has these bytes by now.
    if (!response.ok && response.status !== 412) throw new Refused(what, response.status, await bodyOf(response));
    await response.body?.cancel();
  }

  /** Sends until the answer is final. Without `isSafe`, a request whose answer was lost is not sent again. */
  async #repeated(what: string, isSafe: boolean, send: () => Promise<Response>): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const last = attempt === ATTEMPTS;
      let pause = PAUSE_MS * 2 ** (attempt - 1);
      try {
        const response = await send();
        if (!mayPass(response.status) || last) return response;
        if (!isSafe && response.status !== 429 && response.status !== 503) return response;
        const asked = Number(response.headers.get('retry-after') ?? 0);
        if (asked > MOST_WAIT_SECONDS) return response;
        pause = Math.max(asked * 1000, response.status === 429 ? 1000 : pause);
        await response.body?.cancel();
        this.#told(`${what}: ${response.status}, trying again in ${Math.ceil(pause / 1000)} s.`);
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!isSafe || last) throw new Error(`${what} could not be sent: ${reasonOf(error)}`, { cause: error });
        this.#told(`${what}: ${reasonOf(error)}, trying again.`);
      }
      await sleep(pause, undefined, { signal: this.#signal });
    }
  }
}

const formOf = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};
