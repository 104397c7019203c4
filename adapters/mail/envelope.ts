import type { SendMailOptions } from 'nodemailer';
import type { Mail } from '../../ports/outbound/mail.ts';

/** With CRLF, nodemailer measures each line separately when it folds, so a license key on its own line stays whole. */
const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

/** Converts a message to nodemailer's options. A message never makes nodemailer read a file or fetch a URL. */
export const envelopeOf = (mail: Mail, from: string): SendMailOptions => ({
  messageId: `<${mail.id}>`,
  from: { name: mail.from_name, address: from },
  to: { name: '', address: mail.to },
  ...(mail.reply_to !== null && { replyTo: mail.reply_to }),
  subject: mail.subject,
  text: crlf(mail.text),
  html: crlf(mail.html),
  // Suppress vacation replies and other automatic responses (RFC 3834), which Exchange knows by its own header.
  headers: { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'OOF, AutoReply' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
