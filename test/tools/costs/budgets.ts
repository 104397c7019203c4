import { ENDPOINTS } from '../../../ports/inbound/endpoints.ts';
import { type Case, nameOf } from './cases.ts';

/** The highest allowed cost of one request. */
export type Budget = { readonly rounds: number; readonly readUnits: number; readonly writeUnits: number };

const budget = (rounds: number, readUnits: number, writeUnits: number): Budget => ({ rounds, readUnits, writeUnits });

/** A read takes two round trips: the key, and then the rest in parallel. */
const READ = budget(2, 5, 1);

/**
 * The budgets of requests that may cost more than a read. A write takes three round trips. Exceptions are requests that
 * occur once in the life of a key, requests that read again after a write, and the first use of a day.
 */
const BUDGETS: Readonly<Record<string, Budget>> = {
  downloadBundle: budget(2, 6, 1),
  checkLicense: budget(2, 5.5, 1),
  leaseLicense: budget(4, 6, 6),
  returnLease: budget(4, 2, 3),
  listLeases: budget(2, 5, 1),
  releaseLease: budget(5, 7, 6),
  // The first use of a key reads its batch, which may be revoked, creates a license and a key, and counts the use.
  redeemLicenseKey: budget(7, 6, 22),
  getProductLicense: budget(2, 6, 1),
  showTeam: budget(2, 10, 1),
  inviteToTeam: budget(5, 14, 8),
  removeFromTeam: budget(4, 10, 7),
  releaseLicenseDevice: budget(7, 9, 12),
  revokeLicenseDevice: budget(11, 12, 20),
  saveSetupProgress: budget(3, 5, 2),
  logoutDevice: budget(11, 13, 20),
  // Each key is created for the current state of the account, suspended or not: one read, and one check, for each.
  bulkActivate: budget(5, 10, 58),
  recordInstall: budget(3, 6, 3),
  uploadUsage: budget(3, 5, 3),
  openCollectRun: budget(3, 2, 5),
  uploadCollectAsset: budget(3, 4, 5),
  uploadCollectCapture: budget(3, 4, 7),
  failCollectRun: budget(3, 3, 5),
  submitCollectRun: budget(3, 3, 9),
  createDocumentVersion: budget(3, 3, 9),
  submitDocumentVersion: budget(3, 3, 9),
  createReview: budget(3, 5, 13),
  // A report of a new group takes an additional round trip: new groups are limited, because senders determine them.
  reportError: budget(4, 2, 9),
  // A new trial is counted after its write, for the product and for its limits.
  startTrial: budget(5, 3, 6),
  // A ticket's number is a separate item, which keeps it unique; so are its places in the shop's two lists of open ones.
  reportProblem: budget(3, 4, 17),
  // A caller without a credential waits for the limiter; a search also waits for the index, and for the cards.
  listScreens: budget(3, 1, 1),
  'uploadCollectCapture, again': budget(3, 4, 5),
  'reportError, again': budget(3, 2, 6),
  // The number of a joining report determines the position of its details.
  'reportProblem, again': budget(4, 4, 7),
  // The first check of a day records the device, its version and a use of the product, and a new device first checks for
  // a use.
  'checkLicense, a new device': budget(3, 6.5, 9),
  'checkLicense, the first of the day': budget(4, 8.5, 6),
  'bulkActivate, again': budget(2, 5, 1),
  'uploadUsage, 7 days at once': budget(3, 5, 9),
  'recordInstall, the first of the day': budget(3, 7, 6),
  'recordInstall, with an Idempotency-Key': budget(5, 6, 5),
  'listScreens, by five filters': budget(3, 1, 1),
  'listScreens, by five filters, a process just started': budget(3, 3.5, 1),
  'getLibrary, a process just started': budget(3, 11, 1),
  'checkLicense, a process just started': budget(2, 9.5, 1),
  'getDownloadPipeline, a process just started': budget(2, 4, 1),
  'getAppcast, a process just started': budget(2, 8, 1),
  // A new process looks up the product of a release before the account's access to it, and caches it afterwards.
  'downloadRelease, a process just started': budget(3, 10, 1),
};

export const budgetOf = (one: Pick<Case, 'id' | 'when'>): Budget => {
  const found = BUDGETS[nameOf(one)] ?? (ENDPOINTS[one.id].method === 'GET' ? READ : undefined);
  if (!found) throw new Error(`${nameOf(one)} has no budget.`);
  return found;
};

/** The values of a cost that exceed its budget, in the form `rounds: 3 of 2`. */
export const excess = (cost: Budget, allowed: Budget): string[] =>
  (['rounds', 'readUnits', 'writeUnits'] as const)
    .filter((name) => cost[name] > allowed[name])
    .map((name) => `${name}: ${cost[name]} of ${allowed[name]}`);
