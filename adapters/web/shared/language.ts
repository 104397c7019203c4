/** The language among those offered that a tag names. */
export const languageNamed = <L extends string>(tag: string | null | undefined, offered: readonly L[]): L | undefined =>
  offered.find((language) => language === tag);
