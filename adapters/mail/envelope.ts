import type { SendMailOptions } from 'nodemailer';
import type { Mail } from '../../ports/outbound/mail.ts';

/** A message in the terms of nodemailer. It reads no file and no address for a message. */
export const envelopeOf = (mail: Mail, from: string): SendMailOptions => ({
  messageId: `<${mail.id}>`,
  from: { name: mail.from_name, address: from },
  to: { name: '', address: mail.to },
  ...(mail.reply_to !== null && { replyTo: mail.reply_to }),
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  // Vacation replies and the like stay away (RFC 3834).
  headers: { 'auto-submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
