import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ChecksumMismatch, type ObjectStore } from '../../../ports/outbound/object-store.ts';
import { oneLine } from '../../composition/faults.ts';
import { type Finding, fine, wrong } from './finding.ts';

const CHECK = 'objects';
const PROBE = {
  key: 'doctor/probe',
  bytes: Buffer.from('written by doctor to see whether objects can be read back\n'),
};

/**
 * True if the store takes bytes and refuses them for their wrong SHA-256. The wrong sum keeps the random object out of
 * the store, where objects are never removed.
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

/** Checks that the store takes bytes, refuses bytes that were damaged on the way, and gives back the bytes it took. */
export const probeObjects = async (objects: ObjectStore): Promise<Finding> => {
  try {
    await objects.ping();
    if (!(await canWrite(objects)))
      return wrong(CHECK, 'The object store keeps bytes with a wrong SHA-256; use another engine.');
    await objects.put(grantPermit(), PROBE.key, Readable.from([PROBE.bytes]));
    const opened = await objects.open(PROBE.key);
    const same = opened !== undefined && (await buffer(opened.stream)).equals(PROBE.bytes);
    return same
      ? fine(CHECK, 'The object store takes bytes and gives them back.')
      : wrong(CHECK, 'The object store gives back other bytes than it took.');
  } catch (error) {
    return wrong(CHECK, oneLine(error));
  }
};
