/** The ways to sign in that the operator offers, beside one-time links. */
export type SignInMethods = {
  /** Whether passwords sign in. */
  readonly password: boolean;
  /** The upstream provider, by the name that its button shows; null where there is none. */
  readonly upstream: { readonly name: string } | null;
};
