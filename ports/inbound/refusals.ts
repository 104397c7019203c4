export type RefusalSpec = {
  readonly status: number;
  readonly named: boolean;
  readonly message: string;
  /** The Korean message, for refusals that a buyer may read. */
  readonly ko?: string;
};

/**
 * Every refusal of the API. A `named` refusal has its code as `error` in the body. The others have a message, and data
 * if the endpoint documents it.
 */
export const REFUSALS = {
  missing_api_key: {
    status: 401,
    named: true,
    message: 'Send your API key in the header "Authorization: Bearer <key>".',
  },
  invalid_api_key: {
    status: 401,
    named: true,
    message: 'This API key is unknown, revoked or expired; create a new one.',
  },
  missing_api_key_ability: {
    status: 403,
    named: true,
    message: 'This key does not have the ability that this call needs.',
  },
  product_entitlement_required: {
    status: 403,
    named: true,
    message: 'This account has no access to this product.',
    ko: '이 계정에는 이 제품을 이용할 권한이 없습니다.',
  },
  product_api_key_scope_required: { status: 403, named: true, message: 'This call needs a key bound to this product.' },
  version_update_window_expired: {
    status: 403,
    named: true,
    message: 'This version came out after your update window ended.',
    ko: '이 버전은 업데이트 기간이 끝난 뒤에 출시되었습니다.',
  },
  foreign_origin: {
    status: 403,
    named: false,
    message: 'Requests from other origins, or for another host name, are refused here.',
  },
  not_found: { status: 404, named: false, message: 'Not found; check the path and the id.' },
  install_not_available: {
    status: 404,
    named: true,
    message: 'There is nothing to install for this product.',
    ko: '이 제품에는 설치할 파일이 없습니다.',
  },
  order_not_found: { status: 404, named: true, message: 'This account has no such order.' },
  shop_not_found: { status: 404, named: true, message: 'There is no such record in this shop.' },
  shop_refused: { status: 409, named: true, message: 'The store refuses this; see the reason.' },
  method_not_allowed: {
    status: 405,
    named: false,
    message: 'Method not allowed; see the Allow header.',
  },
  device_limit_reached: {
    status: 409,
    named: false,
    message: 'All devices of this license are in use; release one first.',
  },
  session_limit_reached: {
    status: 409,
    named: false,
    message: 'All sessions of this license are in use; close the application on another machine first.',
  },
  lease_not_offered: {
    status: 409,
    named: true,
    message: 'This product has no sessions; ask POST /api/license/check for its license.',
  },
  license_key_not_redeemable: {
    status: 409,
    named: true,
    message: 'This license key can’t be redeemed by this account.',
    ko: '이 계정에 등록할 수 없는 라이선스 키입니다.',
  },
  trial_not_offered: {
    status: 409,
    named: true,
    message: 'This product has no trial; buy it to use it.',
    ko: '이 제품에는 체험판이 없습니다. 사용하시려면 구매해 주세요.',
  },
  seat_limit_reached: {
    status: 409,
    named: true,
    message: 'All seats of this team are taken; remove a person, or buy more seats.',
    ko: '이 팀의 자리를 모두 사용하고 있습니다. 한 사람을 제외하거나 자리를 더 구매해 주세요.',
  },
  idempotency_key_reused: {
    status: 409,
    named: false,
    message: 'This Idempotency-Key was sent with another request; use a new one.',
  },
  idempotency_key_in_use: {
    status: 409,
    named: false,
    message: 'A request with this Idempotency-Key is still in progress; try again shortly.',
  },
  collect_run_held: {
    status: 409,
    named: false,
    message: 'Another collect run is open; wait until it is submitted, fails or expires.',
  },
  collect_run_closed: {
    status: 409,
    named: false,
    message: 'This collect run accepts no more uploads; open a new one.',
  },
  document_state_conflict: {
    status: 409,
    named: false,
    message: 'The version’s state does not allow this; read the version again.',
  },
  document_limit_reached: {
    status: 409,
    named: false,
    message: 'The limit is reached; ask the operator to make room.',
  },
  malformed_query: {
    status: 400,
    named: false,
    message: 'A query parameter is not valid UTF-8; send its text in UTF-8, percent-encoded.',
  },
  malformed_body: { status: 400, named: false, message: 'The body is not valid JSON.' },
  webhook_signature_invalid: {
    status: 400,
    named: true,
    message: 'The signature matches none of this provider’s secrets; sign the exact bytes of the body.',
  },
  webhook_too_old: {
    status: 400,
    named: true,
    message: 'The signature is more than five minutes off; sign the event again with the current time.',
  },
  body_too_slow: { status: 408, named: false, message: 'The body took too long to arrive; send it again.' },
  body_too_large: { status: 413, named: false, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, named: false, message: 'Send the body as application/json.' },
  validation_failed: { status: 422, named: false, message: 'The given data was invalid.' },
  rate_limited: {
    status: 429,
    named: false,
    message: 'Too many requests; wait the number of seconds in Retry-After.',
    ko: '요청이 너무 많습니다. Retry-After에 적힌 초가 지난 뒤 다시 시도해 주세요.',
  },
  unavailable: { status: 503, named: false, message: 'The service is temporarily unavailable; try again shortly.' },
} as const satisfies Record<string, RefusalSpec>;

export type RefusalCode = keyof typeof REFUSALS;

/** The messages about credentials of design agents, under the same codes as those about keys. */
const OF_AGENTS: Readonly<Partial<Record<RefusalCode, string>>> = {
  missing_api_key: 'Send your agent token in the header "Authorization: Bearer <token>".',
  invalid_api_key: 'This agent token is unknown or revoked; ask the operator for a new one.',
  missing_api_key_ability: 'This agent token does not have the role that this call needs.',
};

/** The message of a refusal without details, for an endpoint with this kind of credential. */
export const refusalMessage = (code: RefusalCode, credential: string): string =>
  (credential === 'agent' ? OF_AGENTS[code] : undefined) ?? REFUSALS[code].message;
