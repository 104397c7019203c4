import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import type { Progress } from '../../application/shared/progress.ts';
import type { FaultyFile } from '../../application/store-document/stored-files.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { type Disk, freeInodeShare, isNearlyFull } from '../../domain/shared/disk.ts';
import { ChecksumMismatch, type ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Service } from '../composition/bootstrap.ts';
import { oneLine } from '../configuration/installation.ts';
import { type Finding, fine, type Part, wrong, wrongs } from './finding.ts';
import { givesBack, keepsFirst } from './readiness.ts';

/**
 * True if the store accepts bytes and refuses them for their wrong SHA-256. The wrong checksum keeps the random object
 * out of the store, where objects are never removed.
 */
const canWrite = async (objects: ObjectStore): Promise<boolean> => {
  const key = `doctor/${randomBytes(8).toString('hex')}`;
  try {
    await objects.put(grantPermit(), key, Readable.from([randomBytes(1024)]), { sha256: '0'.repeat(64) });
    return false;
  } catch (error) {
    if (error instanceof ChecksumMismatch) return true;
    throw error;
  }
};

/**
 * Checks that the store accepts bytes, refuses bytes that were damaged in transit, and returns the bytes that it
 * accepted.
 */
export const probeObjects = async (service: Part<'objects'>): Promise<Finding> => {
  const objects = service.get('objects');
  try {
    await objects.ping();
    if (!(await canWrite(objects)))
      return wrong('objects', 'The object store keeps bytes with a wrong SHA-256; use another engine.');
    if (!(await givesBack(objects))) return wrong('objects', 'The object store gives back other bytes than it took.');
    return (await keepsFirst(objects))
      ? fine('objects', 'The object store takes bytes and gives them back.')
      : wrong('objects', 'The object store replaces files that it has, because it ignores If-None-Match; use another.');
  } catch (error) {
    return wrong('objects', oneLine(error));
  }
};

type State = FaultyFile['state'];

const STATES: Readonly<Record<State, string>> = {
  missing: 'The object store lacks',
  truncated: 'The object store has only a part of',
  altered: 'The object store has other bytes than those of',
  unreadable: 'The disk can’t read',
};

/**
 * The advice for repairing a file. A release may have been published without a store document, so no document may name
 * its files.
 */
const ADVICE: Readonly<Record<FaultyFile['from'], string>> = {
  release: 'publish the same file as the same version again (a patch with --delta), or run: restore BACKUP --files',
  content: 'import the store document again, or run: restore BACKUP --files',
  client: 'run: restore BACKUP --files',
};

const findingsOf = (state: State, from: FaultyFile['from'], faults: readonly FaultyFile[]): Finding[] => {
  const faulty = faults.filter((fault) => fault.state === state && fault.from === from);
  const files = faulty.map(({ name, key }) => ({ name, key, state }));
  const names = faulty.map(({ name }) => name);
  return wrongs('files', names, `${STATES[state]} {}; ${ADVICE[from]}`).map((found) => ({ ...found, files }));
};

/**
 * Compares the bytes of every file that the store refers to with their records. `quick` only checks that each exists
 * with its size.
 */
export const checkFiles = async (
  service: Service,
  { quick = false, progress }: { readonly quick?: boolean; readonly progress?: Progress },
): Promise<Finding[]> => {
  const { files, faults, faulty } = await service.get('checkFiles')({ quick, ...(progress && { progress }) });
  const origins = Object.keys(ADVICE) as FaultyFile['from'][];
  const found = (Object.keys(STATES) as State[]).flatMap((state) =>
    origins.flatMap((from) => findingsOf(state, from, faults)),
  );
  const more = faulty - faults.length;
  if (more > 0) {
    found.push(wrong('files', `There are ${more} more faulty files; repair these first, and run doctor again.`));
  }
  if (found.length > 0) return found;
  const compared = quick ? 'size' : 'size and SHA-256';
  const further = quick ? '; without --quick their bytes are compared too' : '';
  return [
    fine('files', `The object store has every file with its ${compared}, ${countOf(files, 'file')} in all${further}.`),
  ];
};

/** The disk of a folder. Rejects if the folder does not exist. */
export const diskOf = async (folder: string): Promise<Disk> => {
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize, freeInodes: ffree, inodes: files };
};

/** Checks that the disk of DATA_DIR has room, if there is such a folder. */
export const checkDisk = async (folder: string): Promise<Finding[]> => {
  const disk = await diskOf(folder).catch(() => undefined);
  if (!disk || disk.size === 0) return [];
  const [bytes, inodes] = [disk.free / disk.size, freeInodeShare(disk)].map((share) => `${Math.floor(100 * share)} %`);
  const left = `${bytes} is free, and ${inodes} of its inodes`;
  const text = `The disk of ${folder} on ${hostname()}`;
  return [
    isNearlyFull(disk)
      ? wrong('disk', `${text} is nearly full: ${left}; make room`)
      : fine('disk', `${text} has room: ${left}`),
  ];
};
