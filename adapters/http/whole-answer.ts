import type { ServerResponse } from 'node:http';

/**
 * Takes an answer that is there in one piece, its headers by lower-case name and its body as text, and sees to it that
 * the response counts as ended.
 */
export type TakeWhole = (status: number, headers: Record<string, string>, text: string) => void;

const TAKE_WHOLE = Symbol('takes whole answers');

type Taken = ServerResponse & { [TAKE_WHOLE]?: TakeWhole };

/**
 * For a runtime that would have to parse the HTTP message that an answer is written as. Only JSON is handed over;
 * everything else is written to the response as ever.
 */
export const takeWholeAnswers = (res: ServerResponse, take: TakeWhole): void => {
  (res as Taken)[TAKE_WHOLE] = take;
};

/** Ends a response with a text, after the headers that were set on it and those given, which count where both name one. */
export const endWith = (
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | number>>,
  text: string,
): void => {
  const take = (res as Taken)[TAKE_WHOLE];
  // Where a head is out already, Node says so.
  if (take && !res.headersSent) {
    take(status, joined(res, headers), res.req.method === 'HEAD' ? '' : text);
    return;
  }
  // A string, because Node sends it in one write with the headers; a buffer takes a second one, which costs more CPU
  // than all the rest of a license check.
  res.writeHead(status, headers);
  res.end(text);
};

const joined = (res: ServerResponse, headers: Readonly<Record<string, string | number>>): Record<string, string> => {
  const all: Record<string, string> = {};
  const before = res.getHeaders();
  for (const name in before) all[name] = String(before[name]);
  for (const name in headers) all[name.toLowerCase()] = String(headers[name]);
  return all;
};
