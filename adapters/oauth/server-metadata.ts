import { ABILITIES } from '../../domain/access/abilities.ts';
import { PATHS } from './paths.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The authorization server's metadata (RFC 8414, section 2), which depends on nothing but its address and whether clients have documents. */
export const serverMetadata = (issuer: string, clientDocuments: boolean) => ({
  issuer,
  authorization_endpoint: `${issuer}${PATHS.authorization}`,
  token_endpoint: `${issuer}${PATHS.token}`,
  registration_endpoint: `${issuer}${PATHS.registration}`,
  revocation_endpoint: `${issuer}${PATHS.revocation}`,
  device_authorization_endpoint: `${issuer}${PATHS.device_authorization}`,
  scopes_supported: ABILITIES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: clientDocuments,
});
