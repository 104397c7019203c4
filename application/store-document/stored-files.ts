import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { platformName } from '../../domain/delivery/publication.ts';
import type { Artifact, Release } from '../../domain/delivery/release.ts';
import { NO_FILTER, type Screen } from '../../domain/design/gallery/screen.ts';
import { designObjectKey, type StoredFile } from '../../domain/shared/stored-file.ts';
import { isOutdatedReportFile } from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ObjectState, ObjectStore } from '../../ports/outbound/object-store.ts';
import { type Progress, unseen } from '../shared/progress.ts';

type FindPorts = Needs<'catalogs' | 'clock' | 'collectRuns' | 'gallery' | 'releases' | 'tickets'>;

/** A file of the object store that a record refers to. */
export type NamedObject = StoredFile & {
  readonly key: string;
  /** The name shown to people: for a release's file, the product, the version and the platform. */
  readonly name: string;
  /**
   * The source of the record that names it: the operator publishes releases and imports content; the rest comes from
   * clients.
   */
  readonly from: 'release' | 'content' | 'client';
  /** True for a file that a collector may have promised and never sent, so it may be missing. */
  readonly mayLack?: boolean;
};

/** The number of screens read concurrently. */
const AT_ONCE = 20;

/**
 * The maximum number of runs whose files are listed, newest first; the screens of older runs are listed all the same.
 */
const MOST_RUNS = 10_000;

/** The number of captures read together. */
const CAPTURES = 500;

const ofOperator = (from: 'release' | 'content', { sha256, size }: StoredFile, name: string): NamedObject => ({
  key: objectKeyOf(sha256),
  sha256,
  size,
  name,
  from,
});

const ofAgent = ({ sha256, size }: StoredFile, name: string): NamedObject => ({
  key: designObjectKey(sha256),
  sha256,
  size,
  name,
  from: 'client',
});

const artifactFiles = (artifact: Artifact, of: string): NamedObject[] => {
  const name = `${of} for ${platformName(artifact)}`;
  return [
    ofOperator('release', artifact, `${name} (${artifact.filename})`),
    ...(artifact.deltas ?? []).map((delta) =>
      ofOperator('release', delta, `${name}, patch from build ${delta.from_build}`),
    ),
  ];
};

const screenFiles = ({ id, image, thumbnail, page }: Screen): NamedObject[] => [
  ofAgent(image, `image of screen ${id}`),
  ofAgent(thumbnail, `thumbnail of screen ${id}`),
  ...(page ? [ofAgent(page, `saved page of screen ${id}`)] : []),
];

/**
 * Finds every file that the store refers to: those of releases, patches, product content, tickets, collect runs and the
 * gallery. A file is listed once for each record that names it. Files of tickets whose retention has ended are left
 * out.
 */
export const findStoredFiles = ({ catalogs, releases, tickets, clock, collectRuns, gallery }: FindPorts) => {
  async function* ofProduct({ id, slug }: Product): AsyncGenerator<NamedObject> {
    const released: readonly Release[] = (await releases.of([id])).get(id) ?? [];
    for (const { version, artifacts } of released) {
      for (const artifact of artifacts) yield* artifactFiles(artifact, `${slug} ${version}`);
    }
    const content = await catalogs.content(id);
    for (const asset of content?.assets ?? []) yield ofOperator('content', asset, `${slug} content ${asset.path}`);
  }

  async function* ofTickets(): AsyncGenerator<NamedObject> {
    for await (const { id } of tickets.list()) {
      for (const { sha256, size, name, object_key } of await tickets.files(id)) {
        if (isOutdatedReportFile(object_key, clock.now())) continue;
        yield { key: object_key, sha256, size, name: `file ${name} of ticket ${id}`, from: 'client' };
      }
    }
  }

  async function* ofRuns(): AsyncGenerator<NamedObject> {
    for (const { run } of await collectRuns.newest(MOST_RUNS)) {
      for (const asset of await collectRuns.assets(run.id)) yield ofAgent(asset, `asset ${asset.url} of run ${run.id}`);
      yield* ofCaptures(run.id);
    }
  }

  async function* ofCaptures(run_id: number): AsyncGenerator<NamedObject> {
    for (let after = 0; ; ) {
      const captures = await collectRuns.captures(run_id, after, CAPTURES);
      for (const { number, image, html } of captures) {
        const of = `of capture ${number} of run ${run_id}`;
        if (image) yield { ...ofAgent(image, `image ${of}`), mayLack: true };
        if (html) yield { ...ofAgent(html, `page ${of}`), mayLack: true };
      }
      if (captures.length < CAPTURES) return;
      after = captures.at(-1)?.number ?? after;
    }
  }

  async function* ofScreens(): AsyncGenerator<NamedObject> {
    const newest = await gallery.search(NO_FILTER, 'newest', { page: 1, per_page: 1 });
    const last = newest.entries[0]?.id ?? 0;
    for (let first = 1; first <= last; first += AT_ONCE) {
      const ids = Array.from({ length: Math.min(AT_ONCE, last - first + 1) }, (_, n) => first + n);
      for (const screen of await Promise.all(ids.map((id) => gallery.screen(id))))
        if (screen) yield* screenFiles(screen);
    }
  }

  return async function* (): AsyncGenerator<NamedObject> {
    const { products } = await catalogs.current();
    for (const product of products.values()) yield* ofProduct(product);
    yield* ofTickets();
    // Screens come before their captures: a file of a capture may be missing, but none of a screen.
    yield* ofScreens();
    yield* ofRuns();
  };
};

export type FindStoredFiles = ReturnType<typeof findStoredFiles>;

/** A file whose bytes differ from its record. */
export type FaultyFile = NamedObject & { readonly state: Exclude<ObjectState, 'whole'> };

export type CheckedFiles = {
  /** The number of different files, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** The first faulty files, up to the requested number; `faulty` counts all. */
  readonly faults: readonly FaultyFile[];
  readonly faulty: number;
};

export type FilesCheck = {
  readonly quick: boolean;
  /** The maximum number of faulty files to list; a thousand by default. */
  readonly most?: number;
  readonly progress?: Progress;
};

/** The maximum number of faulty files to list. */
const MOST_FAULTS = 1000;

/**
 * Compares every file that the store refers to with the size and the SHA-256 in its record. `quick` only checks that
 * the file exists and has its size, and reads no bytes. A file that several records name is examined once.
 */
export const checkFiles = ({
  findStoredFiles,
  objects,
}: {
  findStoredFiles: FindStoredFiles;
  objects: ObjectStore;
}) => {
  /** The total size of all different files by their records, in bytes. */
  const readBytes = async (): Promise<number> => {
    const sizes = new Map<string, number>();
    for await (const { key, size } of findStoredFiles()) sizes.set(key, size);
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  };

  return async function checkFiles({
    quick,
    most = MOST_FAULTS,
    progress = unseen,
  }: FilesCheck): Promise<CheckedFiles> {
    const seenKeys = new Set<string>();
    const faults: FaultyFile[] = [];
    let [bytes, faulty, read] = [0, 0, 0];
    const total = quick ? 0 : await readBytes();
    const seen = (more: number): void => progress('Checking files', (read += more), Math.max(total, read));
    for await (const file of findStoredFiles()) {
      if (seenKeys.has(file.key)) continue;
      seenKeys.add(file.key);
      bytes += file.size;
      const state = await objects.examine(file.key, file, { depth: quick ? 'size' : 'bytes', ...(!quick && { seen }) });
      if (state === 'whole' || (state === 'missing' && file.mayLack)) continue;
      if (++faulty <= most) faults.push({ ...file, state });
    }
    return { files: seenKeys.size, bytes, faults, faulty };
  };
};

export type CheckFiles = ReturnType<typeof checkFiles>;

export type MendedFiles = {
  readonly mended: readonly FaultyFile[];
  /** The faulty files that are missing or damaged in the copy too. */
  readonly left: readonly FaultyFile[];
};

type Ports = Needs<'auditLog' | 'objects'> & { checkFiles: CheckFiles };

/**
 * Restores all lost or damaged files from the objects of a copy. A file is written only if the copy has exactly the
 * bytes of its record, so only damage is replaced. `from` names the copy in the audit entry, which is written if any
 * file is faulty.
 */
export const mendFiles = ({ checkFiles, auditLog, objects }: Ports) => {
  const mend = async (permit: Permit, { key, sha256, size }: FaultyFile, copy: ObjectStore): Promise<boolean> => {
    const expected = { sha256, size };
    if ((await copy.examine(key, expected, { depth: 'bytes' })) !== 'whole') return false;
    const opened = await copy.open(key);
    if (!opened) return false;
    await objects.put(permit, key, opened.stream, expected);
    return true;
  };

  return async function mendFiles(
    permit: Permit,
    { copy, from, progress = unseen }: { copy: ObjectStore; from: string; progress?: Progress },
  ): Promise<MendedFiles> {
    const { faults } = await checkFiles({ quick: false, most: Number.POSITIVE_INFINITY, progress });
    if (faults.length > 0) {
      await auditLog.add(permit, auditEvent({ kind: 'store', id: from }, 'repair_begun'));
    }
    const mended: FaultyFile[] = [];
    const left: FaultyFile[] = [];
    for (const fault of faults) ((await mend(permit, fault, copy)) ? mended : left).push(fault);
    return { mended, left };
  };
};
