import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretBox } from '../../ports/outbound/webhooks.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The encryption key of a signing key (HKDF, RFC 5869), so that neither use of it can replace the other. */
const keyFrom = (d: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'account-service webhook secret', 32));

/** AES-256-GCM. A sealed text is the id of its key, a dot, and nonce, tag and ciphertext in base64url. */
export const secretBox: SecretBox = {
  mint: () => `whsec_${randomBytes(32).toString('base64')}`,
  seal: ({ kid, d }, secret) => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', keyFrom(d), iv);
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `${kid}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
  },
  open: (ring, sealed) => {
    const [kid, text = ''] = sealed.split('.');
    const { d = null } = ring.find((key) => key.kid === kid) ?? {};
    if (d === null) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', keyFrom(d), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  },
};
