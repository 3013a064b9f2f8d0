/**
 * Failures that tell of a full disk. They are the machine's, whatever the store promises: no worker can get on then, and a run on it
 * is inconclusive for other reasons (its history could not be written, its drain did not end).
 */
const NO_ROOM = /SQLITE_(FULL|IOERR)|ENOSPC|EFBIG|EDQUOT|no space left|disk( is)? full/i;

/** Of an error as a client recorded it. */
export const isNoRoom = ({ code, message }: { readonly code: string; readonly message: string }): boolean =>
  NO_ROOM.test(code) || NO_ROOM.test(message);
