import { countedAddress } from '../../domain/access/rate-limit.ts';
import type { AnswerFacts } from './reply.ts';

/** A request as the log has it. It has no header, query or body. */
export type RequestLine = {
  readonly id: string;
  readonly method: string;
  /** At most 256 characters, without control characters; a longer path ends with `…`. */
  readonly path: string;
  /** The network address that the request counts for: an IPv6 address is its first 64 bits. It is personal data. */
  readonly address: string;
  readonly status: number;
  readonly ms: number;
  readonly answered: AnswerFacts | undefined;
};

const LONGEST_PATH = 256;
const LONGEST_METHOD = 16;

/** Characters that could move or hide text where a person reads the log. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text that a client chose, in at most `longest` characters. */
const cut = (text: string, longest: number): string => {
  const kept = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return kept.replace(UNSEEN, '\u{fffd}');
};

/** The line of a request whose texts come as the client sent them. */
export const requestLine = ({ method, path, address, ...line }: RequestLine): RequestLine => ({
  ...line,
  method: cut(method, LONGEST_METHOD),
  path: cut(path, LONGEST_PATH),
  address: cut(countedAddress(address), LONGEST_PATH),
});
