import type { Source } from '../../hub/neutral-request.ts'

/** What an image or file is given by: a data URL with base64 in it, or an address. Null for a data URL of another kind. */
export function sourceOf(url: string): Source | null {
  if (!/^data:/i.test(url.slice(0, 5))) return { kind: 'url', url, mediaType: null }
  const comma = url.indexOf(',')
  const head = url.slice(5, comma < 0 ? 5 : comma)
  const [mediaType = '', ...parameters] = head.split(';')
  if (mediaType === '' || !parameters.includes('base64')) return null
  return { kind: 'data', mediaType: mediaType.toLowerCase(), base64: url.slice(comma + 1) }
}

export function urlOf(source: Source): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.base64}`
}
