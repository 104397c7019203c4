import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../../ports/outbound/mail.ts';
import { envelopeOf } from './envelope.ts';

/**
 * Sends nothing: writes each message to a folder as a file that mail programs can open, readable only by its owner. The
 * file is named after the message's id and written atomically, so a repeated message replaces itself.
 */
export class OutboxFolder implements Mailer {
  readonly #folder: string;
  readonly #from: string;
  readonly #transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(folder: string, from: string) {
    this.#folder = folder;
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    const { message } = await this.#transport.sendMail(envelopeOf(mail, this.#from));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${mail.id.replace(/[^\w.-]/g, '_')}.eml`);
    await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${path}.part`, path);
  }
}
