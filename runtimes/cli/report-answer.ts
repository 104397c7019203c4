import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { AnsweredTicket } from '../../application/support/answer-ticket.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { MAX_ANSWER } from '../../domain/support/ticket-answer.ts';
import { oneLine } from '../composition/faults.ts';
import { ownTerminal } from './ask.ts';
import { type Answered, answer, leaf, onOperations } from './command.ts';
import { operatorPermit } from './operator.ts';
import { id } from './values.ts';

type Options = { json?: boolean; textFile?: string; close?: boolean };

/** The most bytes that are read, so that a wrong file is not read whole: UTF-8 has up to 4 bytes for a character. */
const MAX_BYTES = MAX_ANSWER * 4 + 4096;

const textOf = async (input: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > MAX_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
};

/** The text of an answer, from a file or from standard input. */
const readText = async (file: string | undefined): Promise<Outcome<string, 'file_not_readable' | 'text_required'>> => {
  const { input } = ownTerminal();
  if (file === undefined && input.isTTY) {
    return refuse('text_required', { message: 'Name a file with --text-file, or give the answer on standard input.' });
  }
  try {
    return ok(await textOf(file === undefined ? input : createReadStream(file)));
  } catch (error) {
    return refuse('file_not_readable', { message: `${file} can’t be read: ${oneLine(error)}` });
  }
};

const written = ({ ticket, answer: given, account_email }: AnsweredTicket): string => {
  const kept = `Answer ${given.number} is kept with ticket ${ticket.id}, which is ${ticket.status}.`;
  return account_email === null
    ? `${kept} The account is gone, so nobody reads it.`
    : `${kept} The buyer reads it on the page /support of the account host. No mail is sent; write to ${account_email} where it is urgent.`;
};

const give = (ticket: number, { textFile, close = false }: Options): Answered =>
  onOperations(async (service) => {
    const text = await readText(textFile);
    if (!text.ok) return text;
    const answered = await service.get('answerTicket')(operatorPermit('reports answer'), {
      id: ticket,
      text: text.value,
      close,
    });
    return answered.ok ? ok({ json: answered.value, text: written(answered.value) }) : answered;
  });

export const answerCommand = (group: Command): void => {
  leaf(group, 'answer', 'answer a ticket; its buyer reads the answer on the account’s pages, and no mail is sent')
    .argument('<ticket>', 'id of the ticket', id)
    .option('--text-file <file>', `file with the answer, at most ${MAX_ANSWER} characters; standard input if left out`)
    .option('--close', 'close the ticket too')
    .action((ticket: number, options: Options) => answer(options, () => give(ticket, options)));
};
