import { failure } from '../js/calls.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal obeys them, and a text may hide itself by the others.
const HIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text without terminal control characters. Its lines stay. @param {string} text */
export const plain = (text) => text.replace(HIDDEN, '');

/** A text from the server for one line, so that a name can't forge a row. @param {unknown} text */
export const line = (text) => plain(String(text).replace(/\s+/g, ' '));

/** JSON without terminal control characters. @param {unknown} value @param {number} [indent] */
export const json = (value, indent) =>
  JSON.stringify(value, null, indent).replace(HIDDEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The device names of Windows, which never name a file in any folder or with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[\d¹²³]) *(\.|$)/i;

/**
 * A safe name for a server's file in the buyer's folder. One rule for all systems: Windows drops dots and spaces at the
 * end; a leading dot marks the settings of a shell or a program; a leading dash marks an option.
 * @param {string} filename
 */
export const fileNameOf = (filename) => {
  const name = filename.split(/[\\/]/).at(-1) ?? '';
  if (/^$|^[.\s-]|[.\s]$|[<>:"|?*\n]/.test(name) || name !== plain(name) || RESERVED.test(name))
    throw failure('bad_file_name', 'The server names a file that can’t be written here; name one with --to.');
  return name;
};

/**
 * The normalized address of an API, under which keys and installs are stored: in the form of `new URL`, without a
 * trailing slash. A key is only sent over TLS, or within this machine.
 * @param {string} text
 */
export const addressOf = (text) => {
  try {
    const { protocol, host, hostname, origin, pathname, username, password, search, hash } = new URL(text);
    const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isHere);
    // `new URL` accepts quotes in a host.
    if (isSafe && /^[\w.:[\]-]+$/.test(host) && !(username || password || search || hash))
      return origin + pathname.replace(/\/+$/, '');
  } catch {}
  throw failure('bad_address', `"${text}" is no address of a shop’s API, such as https://api.example.com.`);
};

const PACKED = /\.(zip|tar|t?gz|xz|bz2|zst|7z|dmg|msi|pkg|mpkg|deb|rpm|apk)$/i;

/** True if a file is a program that can run directly. @param {{ kind?: unknown, filename: string }} plan */
export const isProgram = ({ kind, filename }) => kind === 'binary' && !PACKED.test(filename);
