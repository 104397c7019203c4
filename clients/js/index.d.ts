/** `licensed`, `grace` and `trial` may run. `unknown`: this device has no valid proof of a license. */
export type State = 'licensed' | 'grace' | 'trial' | 'expired' | 'revoked' | 'unknown';

/**
 * The reason for the state. The documentation's page of states says which code belongs to which state, and what to
 * show.
 */
export type Code =
  | 'valid'
  | 'check_overdue'
  | 'access_expired'
  | 'trial_ended'
  | 'offline_too_long'
  | 'clock_set_back'
  | 'version_not_covered'
  | 'entitlement_revoked'
  | 'device_revoked'
  | 'device_shared'
  | 'not_entitled'
  | 'device_limit_reached'
  | 'session_limit_reached'
  | 'never_checked'
  | 'token_rejected';

/** A device that holds a slot. Times are ISO 8601 in UTC. */
export interface Device {
  device_id: string;
  name: string | null;
  activated_at: string;
  last_seen_at: string;
  /** The expiry of an offline file, which holds the slot until then. */
  offline_until: string | null;
  /** The time at which the device was released, if its offline file still holds the slot. */
  released_at: string | null;
}

/** A session that holds a slot of a floating license. Times are ISO 8601 in UTC. */
export interface Session {
  device_id: string;
  name: string | null;
  taken_at: string;
  renewed_at: string;
  expires_at: string;
  /** The end of a borrowed session, which holds its slot until then. */
  borrowed_until: string | null;
}

/** The license of this device. Times are ISO 8601 in UTC. */
export interface Status {
  state: State;
  /** True for `licensed`, `grace` and `trial`. */
  may_run: boolean;
  code: Code;
  /** The server's message for the buyer; null if there is none. */
  message: string | null;
  /** The time until which the application may run without another check; null if it may not run. */
  runs_until: string | null;
  access_expires_at: string | null;
  updates_supported_until: string | null;
  /** False if the update window does not cover `app_version`; null if unknown. */
  version_covered: boolean | null;
  /** The edition, if the product has editions; null as long as the application may not run. */
  edition: string | null;
  /** The features of the license, sorted; empty as long as the application may not run. */
  features: string[];
  /** True if the application may run and the license has this feature. Messages between processes lose it. */
  has(feature: string): boolean;
  /** The shop's own texts about the product, by name; empty as long as the application may not run. */
  metadata: Record<string, string>;
  /** The days that are left of the trial, 1 on its last day; null outside a trial. */
  days_left: number | null;
  /** The slot of a floating license that this device holds. */
  lease_id: string | null;
  /** True if `check` should be called as soon as there is a network. */
  check_due: boolean;
  /** True if the clock is more than ten minutes behind the time known to have passed. */
  clock_back: boolean;
  /** True if `app_version` is below the policy's minimum version. */
  update_required: boolean;
  /** The page on which the buyer frees a slot; only with `device_limit_reached` and `session_limit_reached`. */
  manage_url: string | null;
  /** The devices in use; only with `device_limit_reached`. */
  devices: Device[] | null;
  /** The sessions that hold all slots, at most 100; only with `session_limit_reached`. */
  sessions: Session[] | null;
}

/** The reason why a call failed. */
export interface Failure {
  /** The HTTP status; null if there was no answer. */
  status: number | null;
  /** The API's code, or one of the client's own: `no_key`, `not_a_key`, `unreachable`, `broken_answer`, `not_remembered`, `no_keys`, `wrong_file`, `cancelled`, `not_written`, `wrong_sum`, `release_changed`, `http_<status>`. */
  code: string;
  message: string;
  /** Seconds until a retry makes sense; null if the server gave none. */
  retry_after: number | null;
}

/**
 * A status after an attempt to ask the server. With an `error`, the status is the previous one. The exception is
 * `not_remembered`: the answer counts, but the store can't keep it beyond the life of this client. A new device whose
 * id can't be stored sends no request, because each start would take a slot.
 */
export type Checked = Status & { error: Failure | null };

/** The signed rules for clients. `signed_at` is ISO 8601 in UTC. */
export interface Policy {
  min_client_version: string;
  revoked: { product_id: number; device_id: string }[];
  policy: { ttl_days: number; recheck_hours: number };
  signed_at: string;
  version: number;
}

/** Stores texts by name. Each function may be synchronous. */
export interface Store {
  /** The text of a name, or null. */
  get(name: string): string | null | undefined | Promise<string | null | undefined>;
  /** Stores a text under a name, durably; null removes it. */
  set(name: string, text: string | null): void | Promise<void>;
  /**
   * Stores a text if there is none, and returns whether it did. It lets processes that start concurrently agree on one
   * device.
   */
  create?(name: string, text: string): boolean | Promise<boolean>;
}

/** A public Ed25519 key as the service publishes it (RFC 8037). */
export interface PublicKey {
  kty: string;
  crv?: string;
  x?: string;
  kid?: string;
  [member: string]: unknown;
}

export interface Options {
  /** The address of the API host, such as `https://api.example.com`. */
  api: string;
  product_id: number;
  app_version?: string;
  /** An API key or license key. By default, the key of `signIn` or `activate`. */
  key?: string;
  /** The id of this installation, at most 255 characters. By default, a random one that is remembered. */
  device_id?: string;
  /** The storage. By default `localStorage` in browsers; in Node, Deno and Bun only memory. */
  store?: Store;
  /**
   * The shop's pinned keys: no other key is trusted. Without them, anybody who can edit the store can sign their own
   * license.
   */
  keys?: PublicKey[];
  /** `en` or `ko`, for the server's messages. */
  language?: string;
  /** The `iss` of the shop's tokens; `api` by default. */
  issuer?: string;
  /**
   * The name of this device in lists, at most 100 characters; by default the host name in Node. An empty name is not
   * sent.
   */
  device_name?: string;
  /** Receives a line for each request and each error of the store, without keys, tokens and bodies. */
  log?: ((line: string) => unknown) | undefined;
  /** The timeout, in seconds, of a call with all its attempts, or of the next piece of a download; 15 by default. */
  timeout?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The time in milliseconds since 1970. */
  now?: () => number;
  sleep?: (milliseconds: number) => Promise<unknown>;
  /** Verifies Ed25519, for engines whose WebCrypto does not support it. */
  verify?: (
    signature: Uint8Array<ArrayBuffer>,
    data: Uint8Array<ArrayBuffer>,
    publicKey: Uint8Array<ArrayBuffer>,
  ) => boolean | Promise<boolean>;
}

export interface LeaseOptions {
  /** Holds the slot for so many days, in which the application may run offline. */
  borrow_days?: number | undefined;
  /** Called with the status each time that a renewal in the background ends with an application that may not run. */
  on_lost?: ((status: Checked) => unknown) | undefined;
}

export interface SignInOptions {
  /** `cli`, `cloud-apps`, or the bundle id of a published application. */
  client_id: string;
  device_name?: string;
  /** The account host; found through the API host by default. */
  account?: string;
  /** Shows the code. Called once. */
  on_code(code: {
    user_code: string;
    verification_uri: string;
    verification_uri_complete: string;
    /** In seconds. */
    expires_in: number;
  }): unknown;
  signal?: AbortSignal;
}

export interface SignedIn {
  device_id: string;
  key_prefix: string;
  /** The prefix of the key that this sign-in replaced, because all were in use. */
  replaced_key_prefix: string | null;
}

export interface Choice {
  channel?: 'stable' | 'beta' | 'alpha' | 'dev';
  /** For example `linux-amd64`; by default this machine's, if the service knows it. */
  platform?: string;
}

/** ProductUpdateApiData of the API. */
export interface Update {
  current_version: string;
  released_at: string | null;
  changelog: string | null;
  update_available: boolean;
  download_allowed: boolean;
  covered: { release_id: number; version: string; update_available: boolean } | null;
  [field: string]: unknown;
}

/** ProductInstallData of the API. */
export interface Plan {
  product_id: number;
  version: string;
  filename: string;
  sha256: string;
  /** The size in bytes. */
  size: number;
  download_url: string;
  release_id: number | null;
  [field: string]: unknown;
}

/** The target of a download. `place` is called only after the checksum is right. */
export interface Sink {
  /** The number of bytes that an earlier download left. */
  size(): number | Promise<number>;
  write(bytes: Uint8Array): void | Promise<void>;
  /** Discards every byte. */
  clear(): void | Promise<void>;
  /** The SHA-256 of all bytes, in lower-case hex. */
  sha256(): string | Promise<string>;
  place(): void | Promise<void>;
  /** Called last, also after a failure. */
  close?(): void | Promise<void>;
}

export interface InstallOptions extends Choice {
  release?: number;
  /** A path (Node, Deno, Bun), or a sink; memory by default, and the answer then has `bytes`. */
  to?: string | Sink | ((plan: Plan) => string | Sink);
  on_progress?(received: number, total: number): unknown;
  /** Cancels the download: `cancelled`. The bytes so far are kept for the next one. */
  signal?: AbortSignal;
  /** If true, the default, records the install at the server, if the key has that ability. */
  record?: boolean;
}

export interface Installed {
  plan: Plan;
  /** The file, if `to` was left out. */
  bytes: Uint8Array | null;
}

export interface Release {
  /** True if the device held a slot, which is now free for another device. */
  released: boolean;
  message: string | null;
}

/** Thrown by every function that does not return a status. */
export class ApiError extends Error implements Failure {
  status: number | null;
  code: string;
  retry_after: number | null;
  constructor(failure: Failure);
}

/** A client of the account service for one product on one device. */
export class Client {
  constructor(options: Options);
  /** Returns the remembered license. Uses no network, and never throws. */
  status(): Promise<Status>;
  /**
   * Asks the server, remembers its answer, and returns the status. Takes a slot if this device has none. Never throws:
   * without an answer, the status is the previous one, with `error`.
   */
  check(): Promise<Checked>;
  /**
   * Asks with a license key or API key as the buyer pasted it, and stores the key once the server accepts it. A refused
   * key never replaces one that works. Never throws.
   */
  activate(key?: string): Promise<Checked>;
  /** Starts the trial of this device, which has one. Does nothing while a license runs. Never throws. */
  startTrial(): Promise<Checked>;
  /**
   * Takes a slot of a floating license, and renews it in the background until `close`, `release` or a refusal. Without
   * an answer, it tries again, also after the slot has ended. `check` and `activate` take a slot too, but only `lease`
   * keeps it. Never throws.
   */
  lease(options?: LeaseOptions): Promise<Checked>;
  /** Call this at exit: ends the renewal, and gives the slot back, unless it is borrowed. Never throws. */
  close(): Promise<Checked>;
  /**
   * Releases this device's slot, unless it is borrowed, and forgets the license. Signs out a device that signed in by code. A key that the
   * shop issued only to this device ends.
   */
  release(): Promise<Release>;
  /** Signs this device in by a code that the buyer enters in a browser (RFC 8628), and remembers its key. */
  signIn(options: SignInOptions): Promise<SignedIn>;
  /** The signed policy, which is fetched and remembered; null if the shop signs none. */
  policy(): Promise<Policy | null>;
  updates(choice?: Choice): Promise<Update>;
  /** Downloads a release, resumes an interrupted download, and moves the file into place once its checksum is right. */
  install(options?: InstallOptions): Promise<Installed>;
  /** The file with which the buyer requests a license for a machine that never goes online. */
  offlineRequest(): Promise<string>;
  /** Reads the answer to `offlineRequest`. Its keys must be pinned. Never throws. */
  activateOffline(file: string): Promise<Checked>;
}

/** A store with one file for each name, readable only by its owner, in Node, Deno and Bun. */
export function fileStore(folder: string): Store;

/** A store in `localStorage`, for browsers. */
export function localStore(prefix?: string): Store;

/** A store that ends with the process. */
export function memoryStore(): Store;
