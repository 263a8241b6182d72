import type { StartTexts } from '../../dictionaries/start-en.ts'

/** What a first key could be called: by the reader's machine. */
export function proposedName(userAgent: string, names: StartTexts['proposedNames']): string {
  if (/Windows/.test(userAgent)) return names.windows
  if (/Macintosh/.test(userAgent)) return names.mac
  return /Linux|X11/.test(userAgent) && !/Android/.test(userAgent) ? names.linux : names.other
}
