import type { Source } from './neutral-request.ts'

type HeldBytes = Extract<Source, { kind: 'data' }>

/**
 * Bytes that a request holds in base64, as every provider takes them: standard base64 with its padding and without line
 * breaks, and a media type that says what they are. Providers refuse `image/jpg`, `image/PNG` and a type with parameters,
 * and a picture whose bytes are of another type than it says. `mediaType` is empty or null where the client named none.
 */
export function heldBytes(mediaType: string | null, written: string): HeldBytes {
  const inUrl = /^\s*data:/i.test(written.slice(0, 64)) ? readDataUrl(written) : null
  if (inUrl !== null) return named(mediaType ?? '') === '' ? inUrl : { ...inUrl, mediaType: typeOf(mediaType, inUrl) }
  const held = { kind: 'data', mediaType: '', base64: standardBase64(written) } as const
  return { ...held, mediaType: typeOf(mediaType, held) }
}

/** The bytes of a data URL, in base64 or percent-encoded; null for any other address. */
export function readDataUrl(url: string): HeldBytes | null {
  const head = /^\s*data:([^,]{0,256}),/i.exec(url.slice(0, HEAD_CHARACTERS))
  if (head === null) return null
  const [begin, about = ''] = head
  const rest = url.slice(begin.length)
  const isBase64 = /;\s*base64\s*(?:;|$)/i.test(about)
  const base64 = isBase64 ? standardBase64(rest) : Buffer.from(unescaped(rest)).toString('base64')
  // A data URL without a type is plain text, by RFC 2397.
  const mediaType = typeOf(about, { base64 })
  return { kind: 'data', mediaType: mediaType === UNKNOWN ? 'text/plain' : mediaType, base64 }
}

/** The media type without its parameters, by its usual name; empty where there is none. */
export function named(mediaType: string): string {
  const name = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return OTHER_NAMES.get(name) ?? name
}

/** Room for white space and parameters in front of the bytes. */
const HEAD_CHARACTERS = 512

const UNKNOWN = 'application/octet-stream'

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/jpe', 'image/jpeg'],
  ['image/jfif', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['application/x-pdf', 'application/pdf'],
  ['binary/octet-stream', UNKNOWN],
])

/** What the bytes begin with decides between pictures, and where nothing is said; everything else is believed. */
function typeOf(mediaType: string | null, { base64 }: { readonly base64: string }): string {
  const said = named(mediaType ?? '')
  const isOpen = said === '' || said === UNKNOWN
  if (!isOpen && !said.startsWith('image')) return said
  const begin = Buffer.from(base64.slice(0, BEGIN_CHARACTERS), 'base64').toString('latin1')
  const [, shown] = BEGINNINGS.find(([pattern]) => pattern.test(begin)) ?? []
  if (shown === undefined || (!isOpen && !shown.startsWith('image/'))) return isOpen ? UNKNOWN : said
  return shown
}

/** 18 bytes. */
const BEGIN_CHARACTERS = 24

const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
  [/^[\s\S]{4}ftyp(?:heic|heix|heim|heis)/, 'image/heic'],
  [/^[\s\S]{4}ftyp(?:mif1|msf1)/, 'image/heif'],
  [/^[\s\S]{4}ftypavi[fs]/, 'image/avif'],
  [/^%PDF-/, 'application/pdf'],
]

/** What is not base64 at all stays, for the provider to judge. */
function standardBase64(written: string): string {
  const isStandard = !OTHER_CHARACTER.test(written)
  const plain = isStandard
    ? written
    : written
        .replace(/%(?:2[bB]|2[fF]|3[dD])/g, (escape) => decodeURIComponent(escape))
        .replace(/\s+/g, '')
        .replaceAll('-', '+')
        .replaceAll('_', '/')
  if (isStandard && plain.length % 4 === 0) return plain
  const bare = plain.replace(/={1,3}$/, '')
  const missing = (4 - (bare.length % 4)) % 4
  return missing === 3 ? plain : bare + '='.repeat(missing)
}

const OTHER_CHARACTER = /[^A-Za-z0-9+/=]/

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
