import Bowser from 'bowser';

/** The most characters of a User-Agent header to read. */
const LONGEST = 512;

/** The browser in a few words, such as `Firefox on macOS`; empty where the header names none. */
export const browserName = (userAgent: string | undefined): string => {
  if (userAgent === undefined || userAgent === '') return '';
  const parser = Bowser.getParser(userAgent.slice(0, LONGEST));
  const [browser, system] = [parser.getBrowserName(), parser.getOSName()];
  return [browser, system].filter((name) => name).join(' on ');
};
