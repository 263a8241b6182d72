import type { PageTexts } from '../../../dictionaries/page-texts.ts'

/** What a key could be called: by the reader's machine. */
export function proposedName(userAgent: string, names: PageTexts['keys']['proposedNames']): string {
  if (/Windows/.test(userAgent)) return names.windows
  if (/Macintosh/.test(userAgent)) return names.mac
  return /Linux|X11/.test(userAgent) && !/Android/.test(userAgent) ? names.linux : names.other
}

/** Up to so many keys of one name are counted. */
const MOST_TRIED = 200

/** The name, or the first number behind it that no other key has. */
export function freeName(name: string, taken: readonly string[]): string {
  const names = new Set(taken.map((each) => each.toLowerCase()))
  for (let number = 1; number <= MOST_TRIED; number += 1) {
    const tried = number === 1 ? name : `${name} ${number}`
    if (!names.has(tried.toLowerCase())) return tried
  }
  return name
}
