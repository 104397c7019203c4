/** A public Ed25519 key of a JWK set (RFC 7517, RFC 8037). */
export type PublicJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The 32 bytes of the key, base64url. */
  readonly x: string;
  /** RFC 7638 thumbprint, SHA-256, base64url. */
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
};
