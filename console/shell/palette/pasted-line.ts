import type { Clues } from '../../../src/causes/clues.ts'
import { readPasted } from '../../../src/causes/pasted-text.ts'

/** What a text in the palette is, beside words to search for. */
export interface PastedLine {
  /** A request that it names. */
  readonly request: string | null
  /** What it says of a failure; null: nothing. */
  readonly clues: Clues | null
  /** Whether it may go to the server as words to search for: never what may be a secret. */
  readonly isSearchable: boolean
}

/** Longer than names are. */
const NAME_CHARACTERS = 80

/** Reads it here: nothing is sent. `origin`: the gateway's own. */
export function readPastedLine(text: string, { origin, also }: { origin: string; also: string }): PastedLine {
  const clues = readPasted(text, { origin, also })
  const bare = text.trim()
  const isSecret = mayBeSecret(bare)
  // A name in one word looks like a key of one's own making, too.
  const isName = /^\S+$/.test(bare) && !isSecret
  const isReport =
    isSecret ||
    clues.request !== null ||
    clues.failure !== null ||
    clues.answered !== null ||
    clues.cloud !== null ||
    clues.seen.some((what) => what === 'address' || what === 'error') ||
    (!isName && clues.seen.some((what) => what === 'key' || what === 'foreign_key')) ||
    bare.length > NAME_CHARACTERS
  return { request: clues.request, clues: isReport ? clues : null, isSearchable: !isReport && bare !== '' }
}

/** How secrets of any vendor begin, or a run of letters and digits that is longer than those of names. */
function mayBeSecret(text: string): boolean {
  return /(?:^|\s|["'])(?:sk-|tg-pat|bearer\s)/i.test(text) || /(?=\w*\d)(?=\w*[a-z])\w{22,}/i.test(withoutIds(text))
}

function withoutIds(text: string): string {
  return text.replaceAll(/\b(?:req|key|acc|grp)_\w+/g, '')
}
