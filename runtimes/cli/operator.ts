import { hostname, userInfo } from 'node:os';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';

/** The name under which the operating system knows the operator; null where it has none, as in some containers. */
const userName = (): string | null => {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
};

/** The permit of an operator's command, whom no gate checks. The audit log tells who ran the command on which machine. */
export const operatorPermit = (command: string): Permit =>
  grantPermit(() => ({ kind: 'command', id: userName(), account_id: null, through: command, from: hostname() }));
