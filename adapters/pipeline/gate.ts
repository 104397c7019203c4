import type { Permit } from '../../domain/access/permit.ts';
import type { Access } from '../../domain/licensing/access.ts';
import type { Passed } from './guard.ts';

/**
 * The gate between a handler's reads and its first write. It opens once a request has passed every check. After a
 * refusal its promises never settle: code that awaits them stays there and is collected as garbage.
 */
export class Gate {
  readonly permit: Promise<Permit>;
  readonly access: Promise<Access | undefined>;
  readonly #opens: (passed: Passed) => void;

  constructor() {
    const permit = Promise.withResolvers<Permit>();
    const access = Promise.withResolvers<Access | undefined>();
    this.permit = permit.promise;
    this.access = access.promise;
    this.#opens = (passed) => {
      permit.resolve(passed.permit);
      access.resolve(passed.access);
    };
  }

  open(passed: Passed): void {
    this.#opens(passed);
  }
}
