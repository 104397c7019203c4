import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response } from 'express';
import type { ReceivedFile } from '../../../application/shared/files.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { percentDecoded } from '../../../domain/shared/plain-text.ts';
import type { Spool } from '../../host/spool.ts';
import { requestOf } from '../../http/node-requests.ts';

/** The maximum size of a form in bytes, unless its site says another, and its maximum number of fields. */
const MOST_BYTES = 16 * 1024;
const MOST_FIELDS = 256;

/**
 * The maximum size of a form's file. It exceeds what pages accept, so that a page can report a slightly too large file
 * and show the form again with its texts.
 */
export const MOST_FILE_BYTES = 20 * 1024 * 1024;

/** The submitted fields of a form, and its file, if any, which stays in a spool until `discard`. */
export class Form {
  readonly #fields: Readonly<Record<string, string | string[] | undefined>>;

  readonly file: ReceivedFile | null;
  readonly #spool: Spool | null;

  constructor(
    fields: Readonly<Record<string, string | string[] | undefined>>,
    file: ReceivedFile | null = null,
    spool: Spool | null = null,
  ) {
    this.#fields = fields;
    this.file = file;
    this.#spool = spool;
  }

  async discard(): Promise<void> {
    await this.#spool?.remove();
  }

  /** The field's first value; empty if there is none. */
  text(name: string): string {
    return this.all(name)[0] ?? '';
  }

  all(name: string): readonly string[] {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    // Browsers send each line break of a text as CR LF.
    return [value ?? []].flat().map((text) => text.replaceAll(/\r\n?/g, '\n'));
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  /** Every field except those named, for a page that resubmits them. */
  but(...names: readonly string[]): (readonly [name: string, value: string])[] {
    const others = Object.keys(this.#fields).filter((name) => !names.includes(name));
    return others.flatMap((name) => this.all(name).map((value) => [name, value] as const));
  }

  /** The field as a positive id; null for anything else. */
  id(name: string): number | null {
    return idIn(this.text(name));
  }
}

/** A positive id in decimal digits; null for anything else. */
export const idIn = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;

const parser = (limit: number) =>
  express.urlencoded({
    extended: false,
    limit,
    parameterLimit: MOST_FIELDS,
    // The parser itself would replace bytes that are not UTF-8, and so store a name that nobody wrote.
    verify: (_req, _res, body) => {
      if (!isUtf8(body) || percentDecoded(body.toString()) === undefined) throw new TypeError('The form is not UTF-8.');
    },
  });

const parse = parser(MOST_BYTES);

/** Parses a form (application/x-www-form-urlencoded). A body of another type counts as a form without fields. */
export const readForm = (
  req: Request,
  res: Response,
  most = MOST_BYTES,
): Promise<Outcome<Form, 'too_large' | 'malformed'>> =>
  new Promise((resolve) => {
    const read = most === MOST_BYTES ? parse : parser(most);
    read(req, res, (error?: unknown) => {
      if (error === undefined) return resolve(ok(new Form(req.body ?? {})));
      const { status } = error as { status?: number };
      resolve(refuse(status === 413 ? 'too_large' : 'malformed'));
    });
  });

export const isMultipart = ({ headers }: Pick<Request, 'headers'>): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/** Parses a form (multipart/form-data) with up to one file, named `file`, which goes to a spool. */
export const readFileForm = async (
  req: Request,
  spool: Spool,
  most = MOST_BYTES,
  fileBytes: number,
): Promise<Outcome<Form, 'file_too_large' | 'malformed'>> => {
  let form: Form | undefined;
  try {
    // Loaded with the first file, because few forms contain one.
    const { readForm: readParts } = await import('../../host/form.ts');
    const files = { file: { maxBytes: fileBytes, required: false } };
    const read = await readParts(
      requestOf(req, req.url, () => ''),
      spool,
      { fieldBytes: most, files },
    );
    if (!read.ok) return refuse(read.code === 'body_too_large' ? 'file_too_large' : 'malformed');
    const fields = Object.entries(read.value.fields as Record<string, string | null>);
    const values = Object.fromEntries(fields.map(([name, value]) => [name, value ?? '']));
    form = new Form(values, read.value.files['file'] ?? null, spool);
    return ok(form);
  } finally {
    if (!form) await spool.remove();
  }
};
