import type { NamedFile, PublishInput } from '../../application/delivery/releases.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { StoreFiles } from '../../ports/outbound/store-document.ts';
import type { Sender } from './send.ts';

/** Uploads a file by a URL that a remote server signed, unless the server already has it, and names it by its hash. */
const uploaded = async ({ send }: Sender, { file, filename }: NamedFile, files: StoreFiles) => {
  const facts = (await files.size(file)) === undefined ? undefined : await files.facts(file);
  if (!facts) return refuse('file_not_found', { message: `There is no file ${file}.` });
  const { sha256, size } = facts;
  const signed = await send('signReleaseUpload', { sha256, size });
  if (!signed.ok) return signed;
  if (signed.value.upload) {
    const { url, method, headers } = signed.value.upload;
    const sent = await fetch(url, { method, headers, body: Buffer.from(await files.read(file, sha256)) });
    if (!sent.ok) throw new Error(`The upload to ${new URL(url).host} was answered ${sent.status}.`);
  }
  return ok({ sha256, filename });
};

/** Publishes a file of this machine on a remote server, with its patches. */
export const publishUploaded = async (
  sender: Sender,
  { product, file, filename, deltas, ...input }: PublishInput,
  files: StoreFiles,
) => {
  const whole = await uploaded(sender, { file, filename }, files);
  if (!whole.ok) return whole;
  const patches: { sha256: string; filename: string; from_build: string }[] = [];
  for (const { from_build, ...patch } of deltas) {
    const sent = await uploaded(sender, patch, files);
    if (!sent.ok) return sent;
    patches.push({ ...sent.value, from_build });
  }
  return sender.send('publishRelease', { named: product, ...whole.value, ...input, deltas: patches });
};
