import { createHmac, timingSafeEqual } from 'node:crypto';

/** A customer who is signed in at the shop, told in answer to the `state` of one question. */
export type Answer = { readonly state: string; readonly id: number; readonly email: string; readonly name: string };

const signatureOf = (body: string, secret: string): Buffer => createHmac('sha256', secret).update(body).digest();

export const signAnswer = (answer: Answer, secret: string): string => {
  const body = Buffer.from(JSON.stringify(answer)).toString('base64url');
  return `${body}.${signatureOf(body, secret).toString('base64url')}`;
};

/** The answer that was signed with the secret; undefined for any other text. */
export const readAnswer = (text: string, secret: string): Answer | undefined => {
  const [body = '', signature = ''] = text.split('.');
  const [given, right] = [Buffer.from(signature, 'base64url'), signatureOf(body, secret)];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString());
};
