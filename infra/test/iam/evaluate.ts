/** A statement of an identity's policy, with every name resolved. */
export type Statement = {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};

/** A call as IAM evaluates it. The context has the values of each condition key of the call; a key may be absent. */
export type Asked = {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, readonly string[]>>;
};

type Values = readonly string[] | undefined;

const escaped = (text: string): string => text.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&');

/** True if the text matches the pattern: `*` matches any characters, and `?` matches one. */
export const isLike = (text: string, pattern: string): boolean => {
  const source = pattern
    .split(/([*?])/)
    .map((part) => (part === '*' ? '.*' : part === '?' ? '.' : escaped(part)))
    .join('');
  return new RegExp(`^${source}$`, 's').test(text);
};

const listOf = (value: string | readonly string[]): readonly string[] => [value].flat();

/**
 * The operators in this project's policies, as IAM defines them (IAM user guide, "IAM JSON policy elements: Condition
 * operators" and "Set operators for multivalued context keys"). Without a set operator, a key that the call lacks
 * matches nothing; `ForAllValues` holds for it, and for a key without values.
 */
const OPERATORS: Readonly<Record<string, (values: Values, wanted: readonly string[]) => boolean>> = {
  StringLike: (values, wanted) =>
    values?.length === 1 && wanted.some((pattern) => isLike(values[0] as string, pattern)),
  StringEquals: (values, wanted) => values?.length === 1 && wanted.includes(values[0] as string),
  'ForAllValues:StringLike': (values = [], wanted) =>
    values.every((value) => wanted.some((pattern) => isLike(value, pattern))),
  Null: (values = [], wanted) => wanted.some((isNull) => (isNull === 'true') === (values.length === 0)),
};

const holds = (operator: string, values: Values, wanted: readonly string[]): boolean => {
  const test = OPERATORS[operator];
  if (!test) throw new Error(`The evaluator does not know the operator ${operator}: add it as IAM defines it.`);
  return test(values, wanted);
};

/** All operators of a condition, and all keys of an operator, must hold. */
const isMet = ({ Condition = {} }: Statement, context: Asked['context']): boolean =>
  Object.entries(Condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => holds(operator, context[key], listOf(wanted))),
  );

const KNOWN = new Set(['Effect', 'Action', 'Resource', 'Condition', 'Sid']);

const matches = (statement: Statement, { action, resource, context }: Asked): boolean => {
  const strange = Object.keys(statement).find((member) => !KNOWN.has(member));
  if (strange) throw new Error(`The evaluator does not know ${strange}: add it as IAM defines it.`);
  return (
    // IAM ignores the case of actions.
    listOf(statement.Action).some((pattern) => isLike(action.toLowerCase(), pattern.toLowerCase())) &&
    listOf(statement.Resource).some((pattern) => isLike(resource, pattern)) &&
    isMet(statement, context)
  );
};

/** IAM's verdict on a call by an identity with these statements: a statement allows it, and none denies it. */
export const isAllowed = (statements: readonly Statement[], asked: Asked): boolean => {
  const verdicts = statements.filter((statement) => matches(statement, asked)).map(({ Effect }) => Effect);
  return verdicts.includes('Allow') && !verdicts.includes('Deny');
};
