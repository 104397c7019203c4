import * as client from 'openid-client';
import { expect, it } from 'vitest';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { anAuthorizationServer, consented, ISSUER, json, REDIRECT } from './support.ts';

it('the metadata names every endpoint and its options (RFC 8414)', async () => {
  const server = await anAuthorizationServer();
  const answer = await server.send(`${ISSUER}/.well-known/oauth-authorization-server`);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(json(answer)).toEqual({
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/oauth/authorize`,
    token_endpoint: `${ISSUER}/oauth/token`,
    registration_endpoint: `${ISSUER}/oauth/register`,
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    device_authorization_endpoint: `${ISSUER}/oauth/device_authorization`,
    scopes_supported: ABILITIES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
});

it('openid-client discovers, registers, signs in with PKCE, refreshes and revokes', async () => {
  const server = await anAuthorizationServer();
  const config = await client.dynamicClientRegistration(
    new URL(ISSUER),
    { redirect_uris: [REDIRECT], grant_types: ['authorization_code', 'refresh_token'], client_name: 'openid-client' },
    client.None(),
    {
      algorithm: 'oauth2',
      [client.customFetch]: (url, options) => fetch(server.local(url), options as RequestInit),
    },
  );
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const code_challenge = await client.calculatePKCECodeChallenge(verifier);
  const { client_id } = config.clientMetadata();
  const url = await consented(server, client_id, { params: { code_challenge, state } });
  const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier: verifier, expectedState: state });
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token as string);
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  await client.tokenRevocation(config, refreshed.refresh_token as string);
  await expect(client.refreshTokenGrant(config, refreshed.refresh_token as string)).rejects.toThrow();
});
