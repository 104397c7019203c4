import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response } from 'express';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { percentDecoded } from '../../../domain/shared/plain-text.ts';

/** The most bytes and fields of a form. */
const MOST_BYTES = 16 * 1024;
const MOST_FIELDS = 256;

/** The fields of a form as a page sent them. */
export class Form {
  readonly #fields: Readonly<Record<string, string | string[] | undefined>>;

  constructor(fields: Readonly<Record<string, string | string[] | undefined>>) {
    this.#fields = fields;
  }

  /** The field's first value as it was sent; empty where there is none. */
  text(name: string): string {
    return this.all(name)[0] ?? '';
  }

  /** Every value of a field. */
  all(name: string): readonly string[] {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    return value === undefined ? [] : typeof value === 'string' ? [value] : value;
  }

  /** The field as a positive id; null for anything else. */
  id(name: string): number | null {
    return idIn(this.text(name));
  }
}

/** A positive id in decimal digits; null for anything else. */
export const idIn = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;

const parse = express.urlencoded({
  extended: false,
  limit: MOST_BYTES,
  parameterLimit: MOST_FIELDS,
  // The parser itself would replace other bytes, and keep a name that nobody wrote.
  verify: (_req, _res, body) => {
    if (!isUtf8(body) || percentDecoded(body.toString()) === undefined) throw new TypeError('The form is not UTF-8.');
  },
});

/** Reads the body of a form (application/x-www-form-urlencoded). A body of another type is a form without fields. */
export const readForm = (req: Request, res: Response): Promise<Outcome<Form, 'too_large' | 'malformed'>> =>
  new Promise((resolve) => {
    parse(req, res, (error?: unknown) => {
      if (error === undefined) return resolve(ok(new Form(req.body ?? {})));
      const { status } = error as { status?: number };
      resolve(refuse(status === 413 ? 'too_large' : 'malformed'));
    });
  });
