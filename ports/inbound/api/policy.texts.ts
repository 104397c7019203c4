export const apiPolicyTexts = {
  getClientConfig: {
    group: 'Client config',
    summary: 'Get the signed client policy',
    description:
      'The lowest version that clients should have, the time that they may run offline, and the revoked devices. The document is signed, so that it can be kept and passed on. To verify it, take the key with the `kid` of the signature’s header from `/.well-known/jwks.json`, verify the signature, and use its payload. Reject a document whose `version` is lower than one that you have seen. The document is the same for everybody.',
    tool: {
      title: 'Show the client policy',
      description:
        'Shows the signed policy for client applications: the lowest version they should have, how long they may run offline, and the revoked devices.',
    },
  },
} as const;
