import type { SendMailOptions } from 'nodemailer';
import type { Mail } from '../../ports/outbound/mail.ts';

/** With CRLF, nodemailer folds a line by its own length, and so leaves a license key whole that has its line. */
const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

/** A message in the terms of nodemailer. It reads no file and no address for a message. */
export const envelopeOf = (mail: Mail, from: string): SendMailOptions => ({
  messageId: `<${mail.id}>`,
  from: { name: mail.from_name, address: from },
  to: { name: '', address: mail.to },
  ...(mail.reply_to !== null && { replyTo: mail.reply_to }),
  subject: mail.subject,
  text: crlf(mail.text),
  html: crlf(mail.html),
  // Vacation replies and the like stay away (RFC 3834).
  headers: { 'auto-submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
