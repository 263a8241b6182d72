import { readDataUrl } from '../../hub/held-bytes.ts'
import type { Source } from '../../hub/neutral-request.ts'

/** What an image or file is given by: a data URL, or an address. */
export function sourceOf(url: string): Source {
  return readDataUrl(url) ?? { kind: 'url', url, mediaType: null }
}

export function urlOf(source: Source): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.base64}`
}
