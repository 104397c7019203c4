import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { vi } from 'vitest';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { addFiles } from '../support/store-folder.ts';
import { Machine } from './machine.ts';
import { type Buyer, FILES } from './shop-files.ts';

/** The maximum wait until a server sees a command's change, on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 100 };

export const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, PATIENCE);

type Key = { readonly id: number; readonly key: string };

/** The shared state of a week's days: the folder, the shop's machine, its buyers and their keys. */
export class Week {
  readonly #folder: string;
  readonly #keys = new Map<string, Key>();
  /** The story's words for the ids of records. */
  readonly named = new Map<string, string>();
  shop: Machine;

  private constructor(folder: string) {
    this.#folder = folder;
    this.shop = this.machine('data');
  }

  static async begin(): Promise<Week> {
    const folder = await mkdtemp(join(tmpdir(), 'week-'));
    await addFiles(folder, FILES);
    return new Week(folder);
  }

  async end(): Promise<void> {
    await this.shop.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  at(name: string): string {
    return join(this.#folder, name);
  }

  machine(dataDir: string): Machine {
    return new Machine(this.at(dataDir));
  }

  #name(id: string | number, name: string): void {
    this.named.set(String(id), name);
  }

  /** The values of all created keys. */
  secrets(): string[] {
    return [...this.#keys.values()].map(({ key }) => key);
  }

  keyOf(name: string): string {
    return this.#keys.get(name)?.key ?? `no key is named ${name}`;
  }

  async addAccount(name: string, email: string): Promise<Buyer> {
    const args = ['account', 'add', '--email', email, '--name', name, '--password-stdin'];
    const account: Buyer = await this.shop.do(args, 'a password of the first week\n');
    this.#name(account.id, name.split(' ')[0] ?? '');
    return account;
  }

  /** Grants an account a product without an order. */
  async give(product: string, account: Buyer): Promise<void> {
    const { id } = await this.shop.do(['grant', '--account', String(account.id), '--product', product]);
    this.#name(id, 'gift');
  }

  async addKey(name: string, account: Buyer, ...args: string[]): Promise<void> {
    const key: Key = await this.shop.do(['key', 'create', '--account', String(account.id), '--name', name, ...args]);
    this.#keys.set(name, key);
    this.#name(key.id, name);
  }

  /** Creates a key with all abilities. */
  addFullKey(name: string, account: Buyer): Promise<void> {
    return this.addKey(name, account, '--abilities', ABILITIES.join(','));
  }

  /** Creates the key of an application on a device. */
  addDeviceKey(name: string, account: Buyer, device: string): Promise<void> {
    return this.addKey(name, account, '--client', 'memo', '--device', device);
  }

  async revokeKey(name: string): Promise<void> {
    await this.shop.do(['key', 'revoke', String(this.#keys.get(name)?.id)]);
  }

  async publish(product: string, version: string, ...args: string[]): Promise<void> {
    const file = this.at(`${product}-${version}.zip`);
    const { id } = await this.shop.do(['publish', product, file, '--version', version, ...args]);
    this.#name(id, `${product} ${version}`);
  }

  /** Creates a key for this use, which then signs. Returns its id. */
  async addSigningKey(use: string): Promise<string> {
    const { kid, state } = await this.shop.do(['signing-key', 'create', '--use', use]);
    this.#name(kid, `${use} key`);
    if (state === 'next') await this.shop.do(['signing-key', 'activate', '--use', use, '--now']);
    return kid;
  }

  /** The versions of Memo that the install plan, the update check and the appcast offer to the holder of the key. */
  async offered(key: string): Promise<unknown[]> {
    const [plan, update, feed] = await Promise.all([
      this.shop.call('/api/products/1/install?platform=darwin-arm64', { key: this.keyOf(key) }),
      this.shop.call('/api/products/1/updates?platform=darwin-arm64', { key: this.keyOf(key) }),
      this.shop.call('/distribution/v1/products/1/appcast.xml', { host: 'app' }),
    ]);
    const [newest] = /(?<=shortVersionString>)[^<]+/.exec(feed.text) ?? [];
    return [plan.body.data.version, update.body.update.current_version, newest];
  }

  /** The code in the answer to a license check of Memo; the status if there is none. */
  async verdict(key: string, device: string): Promise<unknown> {
    const { status, body } = await this.shop.check(this.keyOf(key), device);
    return body.code ?? status;
  }

  /** The devices that the client policy withdraws, as an application reads them. */
  async withdrawn(key: string): Promise<unknown> {
    return (await this.shop.call('/api/client-config', { key: this.keyOf(key) })).body.revoked;
  }

  /** The id of the key that signs the license tokens of a device. */
  async signer(key: string, device: string): Promise<unknown> {
    return decodeProtectedHeader((await this.shop.check(this.keyOf(key), device)).body.token).kid;
  }

  /** Runs the work while a device repeatedly checks its license. Returns the status of each check. */
  async underLoad(key: string, device: string, work: () => Promise<void>): Promise<number[]> {
    const statuses = new Set<number>();
    let working = true;
    const load = async (): Promise<void> => {
      while (working) statuses.add((await this.shop.check(this.keyOf(key), device)).status);
    };
    const loads = load();
    await work().finally(() => {
      working = false;
    });
    await loads;
    return [...statuses];
  }

  /** Sends a buyer's question. Returns the id of its ticket. */
  async ask(key: string, question: string): Promise<string> {
    const json = { kind: 'app_report', summary: question, detail: question, app_bundle_id: 'com.example.memo' };
    const { body } = await this.shop.call('/api/support/reports', { key: this.keyOf(key), json });
    this.#name(body.ticket.id, 'the question');
    return String(body.ticket.id);
  }

  async backUp(): Promise<string> {
    const { backup } = await this.shop.do(['backup', this.at('backups')]);
    this.#name(backup, 'a backup');
    return backup;
  }

  /** Changes one byte of a published file on the disk, which is stored under its SHA-256. */
  async rot(file: string): Promise<void> {
    const sha256 = hash('sha256', await readFile(this.at(file)));
    const stored = join(this.shop.dataDir, 'objects', 'bytes', sha256);
    const bytes = await readFile(stored);
    await writeFile(stored, bytes.with(0, (bytes[0] ?? 0) ^ 1));
  }

  /** Writes the whole store as a document. */
  async export(): Promise<string> {
    await this.shop.do(['export', this.at('export')]);
    this.#name(this.at('export'), 'the export');
    return this.at('export/store.json');
  }
}
