import { closeSync, copyFileSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { basename, dirname, join } from 'node:path';

/* The write-ahead log of SQLite (https://sqlite.org/fileformat2.html#walformat). */
const HEADER = 32;
const FRAME_HEADER = 24;
const LARGEST_PAGE = 65_536;

type Sum = readonly [number, number];

/** Continues a checksum over 32-bit words, in the byte order that the log's first word declares. */
const summed = (bytes: Buffer, [first, second]: Sum, isBigEndian: boolean): Sum => {
  const copy = Buffer.from(bytes);
  if (isBigEndian !== (endianness() === 'BE')) copy.swap32();
  const words = new Uint32Array(copy.buffer, copy.byteOffset, copy.length / 4);
  let [a, b] = [first, second];
  for (let at = 0; at < words.length; at += 2) {
    a = (a + (words[at] as number) + b) >>> 0;
    b = (b + (words[at + 1] as number) + a) >>> 0;
  }
  return [a, b];
};

const sumAt = (bytes: Buffer, at: number): Sum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];

const isSame = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1];

/**
 * The number of commits that the next recovery drops: they follow a damaged position, at which SQLite silently ends the
 * log. A commit counts only if its frame continues the frame before it, so neither the torn end after a crash nor
 * leftovers of an earlier round of the log count.
 */
const commitsCutFrom = (log: number): number => {
  const { size } = fstatSync(log);
  const header = Buffer.alloc(HEADER);
  if (readSync(log, header, 0, HEADER, 0) < HEADER) return 0;
  const pageSize = header.readUInt32BE(8);
  if (pageSize < 512 || pageSize > LARGEST_PAGE) return 0;
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1;
  let sum = sumAt(header, 24);
  let isCut = !isSame(summed(header.subarray(0, 24), [0, 0], isBigEndian), sum);
  let commits = 0;
  const frame = Buffer.alloc(FRAME_HEADER + pageSize);
  readSync(log, frame, 0, frame.length, HEADER);
  // A damaged header can't provide the salt of the log's current round.
  const salt = Buffer.from(isCut ? frame.subarray(8, 16) : header.subarray(16, 24));
  for (let at = HEADER; at + frame.length <= size; at += frame.length) {
    readSync(log, frame, 0, frame.length, at);
    const own = sumAt(frame, 16);
    const next = summed(frame.subarray(FRAME_HEADER), summed(frame.subarray(0, 8), sum, isBigEndian), isBigEndian);
    const continues = frame.subarray(8, 16).equals(salt) && isSame(next, own);
    if (!continues) isCut = true;
    else if (isCut && frame.readUInt32BE(4) > 0) commits++;
    sum = own;
  }
  return commits;
};

const countCut = (log: string): number => {
  let opened: number;
  try {
    opened = openSync(log, 'r');
  } catch {
    return 0;
  }
  try {
    // A log that is being written may look cut once, but not twice at the same place.
    const first = commitsCutFrom(opened);
    return first > 0 ? Math.min(first, commitsCutFrom(opened)) : 0;
  } finally {
    closeSync(opened);
  }
};

const CUT = '-wal-cut-';

/**
 * A message for each copy of a cut log beside a store's file. The operator deletes the copy after dealing with the
 * loss.
 */
export const lostWrites = (file: string): string[] => {
  const folder = dirname(file);
  if (!existsSync(folder)) return [];
  const copies = readdirSync(folder).filter((name) => name.startsWith(basename(file) + CUT));
  return copies.sort().map((name) => {
    const [, commits] = /-(\d+)$/.exec(name) ?? [];
    return `The write-ahead log of ${file} was damaged, so that SQLite dropped what ${commits} of its transactions had written; restore the newest backup to a new folder (docs/backup.md, "Restore for good"), or accept the loss, and remove ${join(folder, name)}, the copy of the damaged log.`;
  });
};

/**
 * Saves a copy of the write-ahead log if SQLite is about to drop commits from it, and returns true. The copy lets later
 * processes report the loss. Call it before SQLite opens the file, and empty the log afterwards, or the loss would be
 * reported again.
 */
export const keepCutLog = (file: string): boolean => {
  const log = `${file}-wal`;
  const commits = countCut(log);
  if (commits > 0) copyFileSync(log, `${file}${CUT}${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${commits}`);
  return commits > 0;
};
