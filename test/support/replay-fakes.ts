import type { Capture, RunAsset } from '../../domain/design/collect/capture.ts';
import type { CollectRun, ReplayProblem } from '../../domain/design/collect/run.ts';
import type { ScreenDraft } from '../../domain/design/gallery/screen.ts';
import type { CollectRuns, ReadRun } from '../../ports/outbound/design/collect.ts';
import type { GalleryEditor, SavedScreens } from '../../ports/outbound/design/gallery.ts';
import { NOW } from './builders.ts';

export const aRun = (given: Partial<CollectRun> = {}): CollectRun => ({
  id: 7,
  agent: { id: 1, name: 'Collector' },
  state: 'submitted',
  viewports: ['desktop'],
  langs: ['ko'],
  apps: null,
  opened_at: NOW,
  submitted_at: NOW,
  ended_at: null,
  error: null,
  accounts: null,
  build_versions: null,
  replay: null,
  ...given,
});

export const aCapture = (number: number, given: Partial<Capture> = {}): Capture => ({
  run_id: 7,
  number,
  key: String(number).padStart(40, 'k'),
  url: `https://shop.example/orders/${number}`,
  viewport: 'desktop',
  lang: 'ko',
  auth: true,
  outcome: 'ok',
  message: null,
  login_stage: null,
  saved_state: null,
  final_url: null,
  http_status: 200,
  meta: { title: null, app: null, flow: null, step: null, platform: null, mode: null, kind: null, patterns: [] },
  image: null,
  html: null,
  assets: null,
  received_at: NOW,
  ...given,
});

/** The part of CollectRuns that a replay uses, with one run in memory. */
export class OneCollectRun {
  run: CollectRun;
  readonly captured: Capture[] = [];
  readonly stored: RunAsset[] = [];
  readonly reported = new Map<number, readonly ReplayProblem[]>();
  #version = 1;

  constructor(run: CollectRun = aRun()) {
    this.run = run;
  }

  #read(): ReadRun {
    const uploads = { assets: this.stored.length, captures: this.captured.length };
    return { run: this.run, version: String(this.#version), uploads };
  }

  readonly collectRuns = {
    get: async (id: number): Promise<ReadRun | undefined> => (id === this.run.id ? this.#read() : undefined),
    save: async (_permit, run, { version }) => {
      if (version !== String(this.#version)) return undefined;
      this.run = run;
      this.#version++;
      return this.#read();
    },
    assets: async () => [...this.stored],
    captures: async (_run, after, limit) => this.captured.filter(({ number }) => number > after).slice(0, limit),
    putProblems: async (_permit, _run, capture, problems) => {
      this.reported.set(capture, problems);
    },
  } satisfies Partial<CollectRuns> as unknown as CollectRuns;

  /** Writes the run as another worker would. */
  takenOver(): void {
    this.#version++;
  }

  problems(): string[] {
    return [...this.reported.values()].flat().map(({ capture, code }) => `${capture} ${code}`);
  }
}

/** A gallery that stores drafts by key. */
export class DraftGallery implements GalleryEditor {
  readonly drafts = new Map<string, ScreenDraft>();
  readonly batches: number[] = [];
  recounts = 0;

  async save(_permit: unknown, drafts: readonly ScreenDraft[]): Promise<SavedScreens> {
    this.batches.push(drafts.length);
    const saved = { added: 0, changed: 0, unchanged: 0 };
    for (const draft of drafts) {
      const before = this.drafts.get(draft.key);
      if (before === undefined) saved.added++;
      else if (JSON.stringify(before) === JSON.stringify(draft)) saved.unchanged++;
      else saved.changed++;
      this.drafts.set(draft.key, draft);
    }
    return saved;
  }

  async recount(): Promise<void> {
    this.recounts++;
  }

  async setTerms(): Promise<void> {}

  async terms() {
    return { page_types: [], patterns: [], elements: [] };
  }
}
