import type {
  AccountEntry,
  ArtifactEntry,
  FileEntry,
  ProductEntry,
  ReleaseEntry,
  SubscriptionEntry,
} from '../../domain/catalog/store-document.ts';
import { formatOf } from '../../domain/delivery/artifact-format.ts';
import { besideOthers, otherBytes, platformName, withDeltas } from '../../domain/delivery/publication.ts';
import type { Artifact, Delta, Release } from '../../domain/delivery/release.ts';
import { downloadName } from '../../domain/delivery/release-faults.ts';
import { amendPolicy, type ClientPolicy, type PolicyInForce } from '../../domain/policy/client-policy.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Accounts, Passwords } from '../../ports/outbound/accounts.ts';
import type { BillingRecords, Orders } from '../../ports/outbound/billing.ts';
import type { CatalogEditor } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Grants } from '../../ports/outbound/licenses.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Policies } from '../../ports/outbound/policies.ts';
import type { ReleaseEditor } from '../../ports/outbound/releases.ts';
import type { StoreFiles } from '../../ports/outbound/store-files.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { ChangedMeanwhile } from './changed-meanwhile.ts';
import type { FileIntake } from './file-intake.ts';
import type { FoundFiles } from './found-files.ts';
import { type Saved, withContent } from './import-counts.ts';
import { productRecords } from './record-faults.ts';

type Ports = {
  catalogEditor: CatalogEditor;
  releaseEditor: ReleaseEditor;
  accounts: Accounts;
  passwords: Passwords;
  grants: Grants;
  orders: Orders;
  billingRecords: BillingRecords;
  policies: Policies;
  clock: Clock;
  pauses: Pauses;
  fileIntake: FileIntake;
};

/** Writes entries that were found to be right; each is left alone where the store has it already, the same. */
export class RecordWriter {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The content first, so that a product that is there is there with its files. */
  async product(entry: ProductEntry, found: FoundFiles): Promise<Saved> {
    const { product, content } = productRecords(entry, found);
    const savedContent = await this.#ports.catalogEditor.save({ kind: 'content', value: content });
    return withContent(await this.#ports.catalogEditor.save({ kind: 'product', value: product }), savedContent);
  }

  /** The entry's version is written as the product's scheme writes it. */
  release(entry: ReleaseEntry, files: StoreFiles, { facts }: FoundFiles): Promise<Saved> {
    const { releaseEditor, pauses } = this.#ports;
    const { artifacts: named, ...details } = entry;
    return untilWritten(pauses, async () => {
      const read = await releaseEditor.read(entry.product_id, entry.version);
      const artifacts: Artifact[] = [];
      for (const artifact of named) artifacts.push(await this.#artifact(artifact, facts, read.release, files));
      const release: Release = { ...details, artifacts: besideOthers(read.release, artifacts) };
      if (isSameJson(read.release, release)) return 'unchanged';
      if (!(await releaseEditor.save(release, read))) return CONFLICT;
      return read.release ? 'updated' : 'created';
    });
  }

  /** A policy that changes something is the next version. */
  policy(wish: ClientPolicy): Promise<{ readonly policy: PolicyInForce; readonly result: Saved }> {
    const { policies, clock, pauses } = this.#ports;
    return untilWritten(pauses, async () => {
      const read = await policies.read();
      const policy = amendPolicy(read.policy, wish, clock.now());
      if (policy === read.policy) return { policy, result: 'unchanged' };
      if (!(await policies.save(policy, read))) return CONFLICT;
      return { policy, result: read.token === null ? 'created' : 'updated' };
    });
  }

  async account({ password, ...entry }: AccountEntry): Promise<Saved> {
    const { accounts } = this.#ports;
    const { id, email, name, created_at } = entry;
    const before = (await accounts.get(id))?.password_hash ?? null;
    const password_hash = password === null ? before : await this.#hash(password, before);
    const saved = await accounts.save({ id, email, name, created_at, password_hash });
    if (saved === 'email_taken') {
      throw new ChangedMeanwhile(`Another account has taken the address ${email}; run the import again.`);
    }
    return saved;
  }

  entitlement(accountId: number, entry: AccountEntry['entitlements'][number]): Promise<Saved> {
    return this.#ports.grants.saveEntitlement({ ...entry, account_id: accountId });
  }

  /** With the number of its order, so that whoever lists subscriptions reads no orders. */
  async subscription(account: AccountEntry, { billing, ...entry }: SubscriptionEntry): Promise<Saved> {
    const order_number = await this.#orderNumber(account, billing?.order_id ?? null);
    return this.#ports.grants.saveSubscription({
      ...entry,
      account_id: account.id,
      billing: billing && { ...billing, order_number },
    });
  }

  order(accountId: number, entry: AccountEntry['orders'][number]): Promise<Saved> {
    return this.#ports.billingRecords.saveOrder({ ...entry, account_id: accountId });
  }

  invoice(accountId: number, entry: AccountEntry['invoices'][number]): Promise<Saved> {
    return this.#ports.billingRecords.saveInvoice({ ...entry, account_id: accountId });
  }

  paymentMethod(accountId: number, entry: AccountEntry['payment_methods'][number]): Promise<Saved> {
    return this.#ports.billingRecords.savePaymentMethod({ ...entry, account_id: accountId });
  }

  async #orderNumber({ id, orders }: AccountEntry, orderId: number | null): Promise<string | null> {
    if (orderId === null) return null;
    const order = orders.find((one) => one.id === orderId) ?? (await this.#ports.orders.find(id, orderId));
    if (!order) throw new ChangedMeanwhile(`Order ${orderId} of account ${id} is gone; run the import again.`);
    return order.number;
  }

  /** A password that is the account's already keeps its hash, for a new one would have another salt. */
  async #hash(password: string, before: string | null): Promise<string> {
    const { passwords } = this.#ports;
    return before !== null && (await passwords.verify(password, before)) ? before : passwords.hash(password);
  }

  /** The same bytes keep the signature that they were published with. */
  async #artifact(
    entry: ArtifactEntry,
    facts: FoundFiles['facts'],
    before: Release | undefined,
    files: StoreFiles,
  ): Promise<Artifact> {
    const { platform } = entry;
    const kept = before?.artifacts.find((artifact) => artifact.platform === platform);
    const file = await this.#file(entry, facts, kept, files);
    const other = otherBytes(before, { platform, sha256: file.sha256 });
    if (other) {
      throw new ChangedMeanwhile(
        `Version ${before?.version} was published with another file for ${platformName(other)}; run the import again.`,
      );
    }
    const named: Delta[] = [];
    for (const delta of entry.deltas ?? []) {
      const known = kept?.deltas?.find(({ from_build }) => from_build === delta.from_build);
      named.push({ from_build: delta.from_build, ...(await this.#file(delta, facts, known, files)) });
    }
    const deltas = withDeltas(kept, named);
    return { platform, ...file, format: formatOf(file.filename), ...(deltas.length > 0 && { deltas }) };
  }

  /** What was read of a file, signed unless it was before. */
  async #file(
    entry: FileEntry,
    facts: FoundFiles['facts'],
    before: Pick<Artifact, 'sha256' | 'signature'> | undefined,
    files: StoreFiles,
  ): Promise<Pick<Artifact, 'filename' | 'sha256' | 'size' | 'signature'>> {
    const known = facts.get(entry.file);
    if (!known) throw new ChangedMeanwhile(`${entry.file} is gone; run the import again.`);
    const { sha256, size } = known;
    const kept = before?.sha256 === sha256 ? before.signature : null;
    const signature = kept ?? (await this.#ports.fileIntake.sign(files, entry.file, known));
    return { filename: downloadName(entry), sha256, size, signature };
  }
}
