/** What a person at a terminal is told of a fault: its message, without a stack. */
export const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error));
