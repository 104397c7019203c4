import type { Permit } from '../../domain/access/permit.ts';
import { readdressed } from '../../domain/accounts/account.ts';
import { canonicalAddress } from '../../domain/accounts/address.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { OwnedKind } from '../../domain/billing/record-owner.ts';
import { besideOthers, otherBytes, platformName, withDeltas } from '../../domain/delivery/publication.ts';
import { signedArtifact, unsignedArtifact } from '../../domain/delivery/publishing.ts';
import type { Artifact, Release } from '../../domain/delivery/release.ts';
import {
  amendPolicy,
  liftedDevices,
  type PolicyInForce,
  type PolicyInput,
  stepTowards,
} from '../../domain/policy/client-policy.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import {
  type AccountEntry,
  type ArtifactEntry,
  type DeviceEntry,
  downloadName,
  type FileEntry,
  type KeyBatchEntry,
  type LicenseKeyEntry,
  type ProductEntry,
  type ReleaseEntry,
  type SubscriptionEntry,
  withdrawalAfter,
} from '../../domain/store-document/store-document.ts';
import { KEYS_AT_ONCE } from '../../ports/outbound/access.ts';
import type { SavedRecord } from '../../ports/outbound/billing.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FileSignature } from '../../ports/outbound/signing.ts';
import type { FileFacts, StoreFiles } from '../../ports/outbound/store-document.ts';
import type { FileIntake } from '../delivery/releases.ts';
import { addLicenseKey } from '../licensing/license-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { type FoundFiles, productRecords } from './document-files.ts';

export type SaveEffect = 'created' | 'updated' | 'unchanged';

/**
 * Thrown when the store or a file changed between the check of an import and its writes. The import can be run again.
 */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}

/** Throws ChangedMeanwhile if another record has taken the id or the number since the check. */
const unlessTaken = async (
  kind: OwnedKind,
  { id, number }: { readonly id: number; readonly number: string },
  saving: Promise<SavedRecord>,
): Promise<SaveEffect> => {
  const saved = await saving;
  if (saved !== 'taken') return saved;
  throw new ChangedMeanwhile(
    `Another import has given the id ${id} or the number ${number} to another ${kind} meanwhile; run the import again.`,
  );
};

/** Writes checked entries. An entry that equals the stored one is skipped. */
export const recordWriter = (
  ports: Needs<
    | 'accounts'
    | 'apiKeys'
    | 'billingRecords'
    | 'catalogEditor'
    | 'clock'
    | 'devices'
    | 'grants'
    | 'ids'
    | 'keyBatches'
    | 'passwords'
    | 'pauses'
    | 'policies'
    | 'releaseEditor'
    | 'storedOrders'
    | 'teams'
  > & { fileIntake: FileIntake },
) => {
  const { catalogEditor, releaseEditor, fileIntake, accounts, passwords, devices, grants, keyBatches } = ports;
  const { storedOrders, billingRecords, policies, clock, pauses, teams } = ports;
  const addKey = addLicenseKey(ports);

  /** Writes the content first, so that a stored product has its files. */
  const product = async (permit: Permit, entry: ProductEntry, found: FoundFiles): Promise<SaveEffect> => {
    const records = productRecords(entry, found);
    const content = await catalogEditor.save(permit, { kind: 'content', value: records.content });
    const saved = await catalogEditor.save(permit, { kind: 'product', value: records.product });
    return saved === 'unchanged' && content !== 'unchanged' ? 'updated' : saved;
  };

  /** A file with the published bytes keeps its signature. */
  const artifactOf = async (
    entry: ArtifactEntry,
    facts: FoundFiles['facts'],
    before: Release | undefined,
    files: StoreFiles,
  ): Promise<Artifact> => {
    const { platform } = entry;
    const factsOf = ({ file }: FileEntry): FileFacts => {
      const known = facts.get(file);
      if (known) return known;
      throw new ChangedMeanwhile(`${file} is gone; run the import again.`);
    };
    const existing = before?.artifacts.find((artifact) => artifact.platform === platform);
    const other = otherBytes(before, { platform, sha256: factsOf(entry).sha256 });
    if (other) {
      throw new ChangedMeanwhile(
        `Version ${before?.version} was published with another file for ${platformName(other)}; run the import again.`,
      );
    }
    const { installation_type, updater_signature = existing?.updater_signature, deltas: named = [] } = entry;
    const unsigned = unsignedArtifact(
      platform,
      {
        ...factsOf(entry),
        filename: downloadName(entry),
        installation_type: installation_type ?? null,
        updater_signature,
      },
      named.map((delta) => ({ ...factsOf(delta), from_build: delta.from_build, filename: downloadName(delta) })),
    );
    const whole = await signatureOf(entry, factsOf(entry), existing, files);
    const patches: Pick<Artifact, keyof FileSignature>[] = [];
    for (const delta of named) {
      const known = existing?.deltas?.find(({ from_build }) => from_build === delta.from_build);
      patches.push(await signatureOf(delta, factsOf(delta), known, files));
    }
    const artifact = signedArtifact(unsigned, whole, patches);
    const deltas = withDeltas(existing, artifact.deltas ?? []);
    return { ...artifact, ...(deltas.length > 0 && { deltas }) };
  };

  /**
   * The published signature of the same bytes; otherwise that of the entry, if one of the store's keys made it;
   * otherwise a new one by the current key.
   */
  const signatureOf = async (
    { file, signature }: FileEntry,
    facts: FileFacts,
    before: Pick<Artifact, 'sha256' | keyof FileSignature> | undefined,
    files: StoreFiles,
  ): Promise<Pick<Artifact, keyof FileSignature>> => {
    if (before?.sha256 === facts.sha256 && before.signature !== null) {
      return { signature: before.signature, ...(before.signed_by !== undefined && { signed_by: before.signed_by }) };
    }
    const verified = signature ? await fileIntake.checked(files, { file, facts }, signature) : undefined;
    return verified?.ok ? verified.value : fileIntake.sign(files, file, facts);
  };

  /**
   * Writes a release and signs its new files. `version` must be normalized by the scheme of the product.
   */
  const release = (
    permit: Permit,
    entry: ReleaseEntry,
    files: StoreFiles,
    { facts }: FoundFiles,
  ): Promise<SaveEffect> => {
    const { artifacts: named, withdrawn: _, ...details } = entry;
    return untilWritten(pauses, async () => {
      const read = await releaseEditor.read(entry.product_id, entry.version);
      const artifacts: Artifact[] = [];
      for (const artifact of named) artifacts.push(await artifactOf(artifact, facts, read.release, files));
      const made: Release = {
        ...details,
        ...withdrawalAfter(entry, read.release),
        artifacts: besideOthers(read.release, artifacts),
      };
      if (isSameJson(read.release, made)) return 'unchanged';
      if (!(await releaseEditor.save(permit, made, read))) return CONFLICT;
      return read.release ? 'updated' : 'created';
    });
  };

  /**
   * Saves a changed policy as the next version, with an audit entry for each device that it restores. A change that
   * restores more devices than one transaction holds creates several versions.
   */
  const policy = async (
    permit: Permit,
    input: PolicyInput,
  ): Promise<{ readonly policy: PolicyInForce; readonly result: SaveEffect }> => {
    const { isWhole, ...saved } = await untilWritten(pauses, async () => {
      const read = await policies.read();
      const step = stepTowards(read.policy, input);
      const amended = amendPolicy(read.policy, step, clock.now());
      const isWhole = step === input;
      if (amended === read.policy) return { policy: amended, result: 'unchanged' as const, isWhole };
      const restored = liftedDevices(read.policy, step).map(({ device_id: id, product_id }) =>
        auditEvent({ kind: 'device', id, product_id }, 'restored'),
      );
      if (!(await policies.save(permit, amended, read, restored))) return CONFLICT;
      return { policy: amended, result: read.token === null ? ('created' as const) : ('updated' as const), isWhole };
    });
    return isWhole ? saved : { ...(await policy(permit, input)), result: 'updated' };
  };

  /**
   * Updates the account only if it is unchanged since the read, so no password set meanwhile is lost. An existing
   * password stays, because the buyer may have changed the one from the document, and an existing team its people.
   */
  const account = async (
    permit: Permit,
    { password, password_hash: importedHash, ...entry }: AccountEntry,
  ): Promise<SaveEffect> => {
    const { id, name, created_at, locale } = entry;
    const email = canonicalAddress(entry.email) ?? entry.email;
    let first: string | null | undefined;
    const saved = await untilWritten(pauses, async () => {
      const read = await accounts.get(id);
      const before = read?.password_hash ?? null;
      if (before === null && first === undefined) {
        first = password === null ? (importedHash ?? null) : await passwords.hash(password);
      }
      // Hashing is slow. The write notices a password that was set meanwhile, and that one stays.
      const password_hash = before ?? first ?? null;
      // Only the operator changes the suspension and the limit of an existing account.
      const known = read ? readdressed(read, email, clock.now()) : entry;
      const { suspended_at, ways_in_ended, requests_per_minute, former_emails, memberships } = known;
      const spoken = locale ?? read?.locale;
      // The buyer's own entry takes precedence.
      const billing = read ? read.billing : entry.billing;
      const after = {
        id,
        email,
        name,
        created_at,
        password_hash,
        ...(spoken && { locale: spoken }),
        ...(billing && { billing }),
        ...(suspended_at && { suspended_at }),
        ...(ways_in_ended && { ways_in_ended }),
        ...(former_emails && { former_emails }),
        ...(requests_per_minute && { requests_per_minute }),
        ...(memberships && { memberships }),
      };
      if (!read) return accounts.save(permit, after);
      if (isSameJson(read, after)) return 'unchanged';
      // An import mails nothing: buyers already know about these changes.
      const written = await accounts.revise(permit, read, after, []);
      return written === 'changed' ? CONFLICT : written;
    });
    if (saved === 'email_taken') {
      throw new ChangedMeanwhile(`Another account has taken the address ${email}; run the import again.`);
    }
    if (saved === 'erased') {
      throw new ChangedMeanwhile(`Account ${id} was erased meanwhile; leave it out, and run the import again.`);
    }
    let isAdded = false;
    for (const team of entry.teams ?? []) {
      const read = await teams.read(id, team.product_id);
      if (read.version !== null) continue;
      isAdded = (await teams.change(permit, read, { team: { account_id: id, ...team } })) === true || isAdded;
    }
    return saved === 'unchanged' && isAdded ? 'updated' : saved;
  };

  const entitlement = (permit: Permit, account_id: number, entry: AccountEntry['entitlements'][number]) =>
    grants.saveEntitlement(permit, { ...entry, account_id });

  const orderNumber = async ({ id, orders }: AccountEntry, order_id: number | null): Promise<string | null> => {
    if (order_id === null) return null;
    const found = orders.find((one) => one.id === order_id) ?? (await storedOrders.find(id, order_id));
    if (!found) throw new ChangedMeanwhile(`Order ${order_id} of account ${id} is gone; run the import again.`);
    return found.number;
  };

  /** Stores the order number too, so that listing subscriptions reads no orders. */
  const subscription = async (permit: Permit, owner: AccountEntry, { billing, ...entry }: SubscriptionEntry) => {
    const order_number = await orderNumber(owner, billing?.order_id ?? null);
    const terms = billing && { ...billing, order_number };
    return grants.saveSubscription(permit, { ...entry, account_id: owner.id, billing: terms });
  };

  const order = (permit: Permit, account_id: number, entry: AccountEntry['orders'][number]): Promise<SaveEffect> =>
    unlessTaken('order', entry, billingRecords.saveOrder(permit, { ...entry, account_id }));

  const invoice = (permit: Permit, account_id: number, entry: AccountEntry['invoices'][number]): Promise<SaveEffect> =>
    unlessTaken('invoice', entry, billingRecords.saveInvoice(permit, { ...entry, account_id }));

  const paymentMethod = (permit: Permit, account_id: number, entry: AccountEntry['payment_methods'][number]) =>
    billingRecords.savePaymentMethod(permit, { ...entry, account_id });

  const licenseKey = async (permit: Permit, account_id: number, entry: LicenseKeyEntry): Promise<SaveEffect> =>
    (await addKey(permit, account_id, entry.product_id, entry)) ? 'created' : 'unchanged';

  /**
   * Seats the devices of a product, unless the account has any: those that were released since do not come back. The
   * limit is that of the next check.
   */
  const productDevices = async (
    permit: Permit,
    account_id: number,
    product_id: number,
    entries: readonly DeviceEntry[],
  ): Promise<SaveEffect> => {
    if ((await devices.find(account_id, product_id, null)).slots.used > 0) return 'unchanged';
    for (const { product_id: _, ...entry } of entries) {
      await untilWritten(pauses, async () => {
        const { device, slots } = await devices.find(account_id, product_id, entry.device_id, { consistent: true });
        const seated = { ...entry, revoked_at: null };
        const options = { unlimited: true };
        return device ?? ((await devices.activate(permit, account_id, product_id, seated, slots, options)) || CONFLICT);
      });
    }
    return 'created';
  };

  /** Adds the keys that an interrupted import left out. A batch that the store made itself stays as it is. */
  const keyBatch = async (permit: Permit, { keys, ...entry }: KeyBatchEntry): Promise<SaveEffect> => {
    const stored = await keyBatches.get(entry.id);
    const from = stored?.count ?? 0;
    if (stored && (from >= keys.length || stored.revoked_at !== null)) return 'unchanged';
    for (let n = from; n < keys.length; n += KEYS_AT_ONCE) {
      const some = keys.slice(n, n + KEYS_AT_ONCE).map((key) => ({ ...key, batch_id: entry.id }));
      if (!(await keyBatches.add(permit, { ...entry, count: n, revoked_at: null }, some))) {
        throw new ChangedMeanwhile(
          `Batch ${entry.id} has changed, or a key of it is in the store; run the import again.`,
        );
      }
    }
    return stored ? 'updated' : 'created';
  };

  const sold = { entitlement, subscription, order, invoice, paymentMethod, licenseKey, productDevices };
  return { product, release, policy, keyBatch, account, ...sold };
};

export type RecordWriter = ReturnType<typeof recordWriter>;
