const isGreedy = (segment: string): boolean => segment.includes('{path}');

const isLiteral = (segment: string): boolean => !segment.includes('{');

const fits = (literal: string, pattern: string): boolean => {
  const [head = '', ...rest] = pattern.split(/\{\w+\}/);
  const tail = rest.at(-1) ?? '';
  return literal.length > head.length + tail.length && literal.startsWith(head) && literal.endsWith(tail);
};

/** Two segments with a parameter each count as alike, whatever stands beside the parameters. */
const alike = (one: string, other: string): boolean => {
  if (isLiteral(one)) return isLiteral(other) ? one === other : fits(one, other);
  return isLiteral(other) ? fits(other, one) : true;
};

const follow = ([one, ...ones]: readonly string[], [other, ...others]: readonly string[]): boolean => {
  if (one === undefined || other === undefined) return one === other;
  if (isGreedy(one) || isGreedy(other)) return true;
  return alike(one, other) && follow(ones, others);
};

/**
 * True where a request may have both paths, whose parameters are in braces as in `Routes`. It may be true of patterns
 * with text beside a parameter or after `{path}` that have no path in common, and is never false of two that have one.
 */
export const overlap = (one: string, other: string): boolean => follow(one.split('/'), other.split('/'));
