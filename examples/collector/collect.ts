import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Look, Visitor } from './browser.ts';
import { DesignApi, type Run, RunHeld } from './design-api.ts';
import type { Options } from './options.ts';
import type { PageToCollect } from './pages.ts';

const POLL_MS = 500;
/** Seconds between two looks whether the run of another agent has ended. */
const HELD_SECONDS = 5;

/** The lines that report the collector's progress. */
export type Told = {
  /** A line of progress, which the next one may overwrite. */
  readonly step: (line: string) => void;
  /** A line that stays. */
  readonly note: (line: string) => void;
};

export type Collected = {
  readonly run: Run;
  readonly captures: Readonly<Record<'ok' | 'failed' | 'redirected', number>>;
  /** One line for each page that was not shown as asked. */
  readonly complaints: readonly string[];
  readonly gallery: string;
};

/** Every page in every look, page by page, so that a page's looks have neighboring numbers. */
const visits = ({ pages, viewports, langs }: Options): { page: PageToCollect; look: Look }[] =>
  pages.flatMap((page) =>
    (page.dark ? (['light', 'dark'] as const) : (['light'] as const)).flatMap((mode) =>
      viewports.flatMap((viewport) => langs.map((lang) => ({ page, look: { viewport, lang, mode } }))),
    ),
  );

/** 40 characters that name a page in one look. They are the same in every run, so that a screen keeps its place. */
export const keyOf = ({ app, path }: PageToCollect, { viewport, lang, mode }: Look): string =>
  createHash('sha1').update([app, path, viewport, lang, mode].join('|')).digest('hex');

/** Opens a run. Waits for the run of another agent where the options say so; then throws RunHeld. */
const opened = async (api: DesignApi, options: Options, signal: AbortSignal, told: Told): Promise<Run> => {
  const { viewports, langs, pages } = options;
  const apps = [...new Set(pages.map(({ app }) => app))];
  const until = Date.now() + options.waitSeconds * 1000;
  for (;;) {
    try {
      return await api.open({ viewports, langs, apps });
    } catch (error) {
      if (!(error instanceof RunHeld) || Date.now() + HELD_SECONDS * 1000 > until) throw error;
      told.step(`${error.message} Waiting.`);
      await sleep(HELD_SECONDS * 1000, undefined, { signal });
    }
  }
};

/** Collects the pages and waits for the replay. A run that was opened and can't be submitted is failed. */
export const collect = async (options: Options, signal: AbortSignal, told: Told): Promise<Collected> => {
  const api = new DesignApi(options.design, options.token, { signal, told: told.note });
  const run = await opened(api, options, signal, told);
  told.note(`Run ${run.id} is open.`);
  const uploaded = await submitted(api, run.id, options, signal, told).catch(async (error: unknown) => {
    await api.fail(run.id, signal.aborted ? 'The collector was stopped.' : String(error)).catch(() => {});
    throw error;
  });
  const ended = await replayed(api, run.id, options, signal, told);
  return { run: ended, ...uploaded, gallery: `${options.design}/` };
};

const submitted = async (api: DesignApi, runId: number, options: Options, signal: AbortSignal, told: Told) => {
  const uploaded = await uploadAll(api, runId, options, signal, told);
  await api.submit(runId);
  told.note(`Run ${runId} is submitted.`);
  return uploaded;
};

const uploadAll = async (api: DesignApi, runId: number, options: Options, signal: AbortSignal, told: Told) => {
  const captures = { ok: 0, failed: 0, redirected: 0 };
  const complaints: string[] = [];
  const sent = new Set<string>();
  const visitor = await Visitor.launch(options);
  const stop = (): void => void visitor.close().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (options.account && options.pages.some(({ auth }) => auth)) await visitor.signIn(options.account);
    const all = visits(options);
    for (const [n, { page, look }] of all.entries()) {
      told.step(`${n + 1}/${all.length}  ${page.name} ${look.viewport} ${look.lang} ${look.mode}`);
      const seen = await visitor.visit(page, look);
      signal.throwIfAborted();
      for (const [url, file] of seen.styles) {
        if (!sent.has(`${url} ${file.sha256}`)) await api.addAsset(runId, url, file);
        sent.add(`${url} ${file.sha256}`);
      }
      const fields = fieldsOf(page, look, seen);
      await api.addCapture(runId, fields, {
        ...(seen.image && { image: seen.image }),
        ...(seen.html && { html: seen.html }),
      });
      captures[seen.outcome]++;
      const why = seen.message ?? (seen.finalUrl && `It led to ${seen.finalUrl}.`);
      if (seen.outcome === 'ok') continue;
      const complaint = `${seen.url} (${look.viewport}, ${look.lang}): ${why}`;
      complaints.push(complaint);
      told.note(complaint);
    }
    return { captures, complaints };
  } finally {
    signal.removeEventListener('abort', stop);
    await visitor.close().catch(() => {});
  }
};

type Seen = Awaited<ReturnType<Visitor['visit']>>;

/** The page's own part of its title: “Keys” of “Keys · Your account”. The gallery names the app beside it. */
const nameOf = (title: string | null): string | null => title?.split(' · ', 1)[0] ?? null;

/** The fields of a capture's form. Those that are null are left out. */
const fieldsOf = (page: PageToCollect, look: Look, seen: Seen): Record<string, string> => {
  const { app, flow, step, kind } = page;
  const meta = { title: nameOf(seen.title), app, flow, step, kind, platform: 'web', mode: look.mode };
  const assets = [...seen.styles].map(([url, { sha256 }]) => ({ url, sha256 }));
  const fields = {
    key: keyOf(page, look),
    url: seen.url,
    viewport: look.viewport,
    lang: look.lang,
    auth: String(page.auth),
    outcome: seen.outcome,
    login_stage: String(page.flow === 'Sign in'),
    message: seen.message,
    final_url: seen.finalUrl,
    http_status: seen.status === null ? null : String(seen.status),
    meta: JSON.stringify(meta),
    assets: JSON.stringify(assets),
  };
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== null));
};

const replayed = async (
  api: DesignApi,
  runId: number,
  { replaySeconds }: Options,
  signal: AbortSignal,
  told: Told,
): Promise<Run> => {
  const until = Date.now() + replaySeconds * 1000;
  for (;;) {
    const run = await api.run(runId);
    if (run.state === 'replayed') return run;
    if (run.state === 'failed') throw new Error(`The replay of run ${runId} failed: ${run.error}`);
    told.step(`replayed ${run.replay?.done ?? 0} of ${run.replay?.total ?? run.uploads.captures}`);
    if (Date.now() > until) throw new Error(`Run ${runId} was not replayed within ${replaySeconds} seconds.`);
    await sleep(POLL_MS, undefined, { signal });
  }
};
