import { mkdirSync, readdirSync } from 'node:fs';
import { type FileHandle, mkdir, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ObjectBytes } from '../../ports/outbound/object-store.ts';
import type { ExportFolder, OpenDocument } from '../../ports/outbound/store-document.ts';
import { createFile } from './durable-files.ts';
import { liesWithin } from './lies-within.ts';
import { receive } from './receive.ts';
import { hasCode } from './storage-faults.ts';

/** The extension of an incomplete document. */
const UNFINISHED = '.partial';

/** The number of characters to buffer before a write. */
const PIECE = 64 * 1024;

class JsonDocument implements OpenDocument {
  readonly #handle: FileHandle;
  readonly #file: string;
  #text = '{';
  #size = 1;
  #list: string | undefined;
  #isFirst = true;

  constructor(handle: FileHandle, file: string) {
    this.#handle = handle;
    this.#file = file;
  }

  get size(): number {
    return this.#size;
  }

  set(name: string, value: unknown): Promise<void> {
    return this.#write(`${this.#next(undefined)}${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  }

  append(list: string, entry: unknown): Promise<void> {
    const text = JSON.stringify(entry);
    if (list === this.#list) return this.#write(`,\n    ${text}`);
    return this.#write(`${this.#next(list)}${JSON.stringify(list)}: [\n    ${text}`);
  }

  async close(): Promise<void> {
    await this.#write(`${this.#list === undefined ? '' : '\n  ]'}\n}\n`);
    await this.#flush();
    await this.#handle.sync();
    await this.#handle.close();
    await rename(`${this.#file}${UNFINISHED}`, this.#file);
  }

  /** Closes the previous list and starts the next field. */
  #next(list: string | undefined): string {
    const end = this.#list === undefined ? '' : '\n  ]';
    const text = `${end}${this.#isFirst ? '' : ','}\n  `;
    this.#list = list;
    this.#isFirst = false;
    return text;
  }

  async #write(text: string): Promise<void> {
    this.#text += text;
    this.#size += Buffer.byteLength(text);
    if (this.#text.length > PIECE) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await this.#handle.writeFile(text);
  }
}

/** An export in a folder of this machine, which must be missing or empty. */
export class FilesystemExport implements ExportFolder {
  readonly #folder: string;

  /** Creates the folder. Throws a one-line error if it contains anything. */
  constructor(folder: string) {
    this.#folder = resolve(folder);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(this.#folder);
    if (names.some((name) => name.endsWith(`.json${UNFINISHED}`))) {
      throw new Error(
        `${folder} holds a part of an export that broke off; remove the folder, and run the command again.`,
      );
    }
    if (names.length > 0) {
      throw new Error(`${folder} is not empty; name a new folder. Nothing was exported.`);
    }
  }

  async open(name: string): Promise<OpenDocument> {
    const file = join(this.#folder, name);
    return new JsonDocument(await createFile(`${file}${UNFINISHED}`), file);
  }

  async keep(
    path: string,
    expected: { readonly sha256: string; readonly size: number },
    bytes: () => Promise<ObjectBytes>,
  ): Promise<void> {
    const file = this.#within(path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await this.#create(file);
    if (!handle) return;
    try {
      await receive(await bytes(), expected, (chunk) => handle.writeFile(chunk));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  #within(path: string): string {
    const file = resolve(this.#folder, path);
    if (file === this.#folder || !liesWithin(file, this.#folder)) {
      throw new Error(`The path ${path} leads out of ${this.#folder}; nothing can be exported to it.`);
    }
    return file;
  }

  async #create(file: string): Promise<FileHandle | undefined> {
    try {
      return await createFile(file);
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return undefined;
      throw error;
    }
  }
}
