/** A text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The operator's command line for the store that was started. An installed one knows the store by itself. */
export const cliCommand = ({ DATA_DIR, ACCOUNT_SERVICE_CLI }: Readonly<Record<string, string | undefined>>): string =>
  ACCOUNT_SERVICE_CLI || `${DATA_DIR ? `DATA_DIR=${shellWord(DATA_DIR)} ` : ''}npm run -s cli --`;
