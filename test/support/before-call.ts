/** A part on which `meanwhile` runs once, right before the first call of one of these methods, like a faster writer. */
export const beforeCall = <T extends object>(
  part: T,
  methods: readonly (keyof T & string)[],
  meanwhile: () => Promise<unknown>,
): T => {
  let isDone = false;
  return new Proxy(part, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = member.bind(target);
      if (!methods.some((method) => method === name)) return call;
      return async (...args: unknown[]) => {
        if (!isDone) {
          isDone = true;
          await meanwhile();
        }
        return call(...args);
      };
    },
  });
};
