/** The message of an error, without its stack, for a person at a terminal. */
export const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error));
