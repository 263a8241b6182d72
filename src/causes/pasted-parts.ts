import type { ChatWire } from '../core/wire.ts'

/** A text that stands where a key belongs, and how it was found. */
export interface PastedKey {
  readonly text: string
  /** As the whole of what was pasted, by its form, or as the value of a header, option or setting. */
  readonly by: 'alone' | 'form' | 'place'
}

/** How much of a text is read, in characters: a config file, or the end of a log. */
export const PASTED_CHARACTERS = 50_000
const MOST = 5

/** Every text that is a key or stands in a key's place, at most five. */
export function keysIn(text: string): readonly PastedKey[] {
  const bare = text.trim()
  if (/^\S{12,}$/.test(bare) && !bare.includes('://') && !bare.startsWith('req_') && !/^[{[<]/.test(bare)) {
    return [{ text: bare, by: 'alone' }]
  }
  const placed = PLACES.flatMap((place) => [...text.matchAll(place)].map((match) => match[1] ?? ''))
    .map(withoutEnd)
    .filter((value) => value !== '' && !isFilledIn(value))
  const formed = [...text.matchAll(FORMS)].map(([found]) => found)
  const known = new Set(placed)
  const keys = [
    ...[...known].map((value) => ({ text: value, by: 'place' as const })),
    ...[...new Set(formed)]
      .filter((value) => ![...known].some((other) => other.includes(value)))
      .map((value) => ({ text: value, by: 'form' as const })),
  ]
  return keys.slice(0, MOST)
}

/** Headers, options of curl and of clients, environment variables and fields of config files. */
const PLACES: readonly RegExp[] = [
  /authorization["']?\s*[:=]\s*["']?bearer\s+((?:bearer\s+)?[^\s"',;\\]+)/gi,
  /(?:x-api-key|x-goog-api-key|api-key)["']?\s*[:=]\s*["']?([^\s"',;\\]+)/gi,
  /(?:^|[\s{,"'])(?:[A-Za-z]+_)*(?:api_?key|auth_?token|apikey|authtoken)["']?\s*[:=]\s*["']?([^\s"',;\\}]+)/gim,
  /--(?:api-)?key[=\s]+["']?([^\s"',;\\]+)/gi,
]

/** Of our own keys, whole or not, and of other vendors'. */
const FORMS =
  /(?<![\w-])(?:sk-tg-\w+|tg-pat-\w+|sk-(?:ant|or|proj|svcacct)-[\w-]{8,}|sk-[A-Za-z0-9]{20,}|AIza[\w-]{20,}|gsk_\w{12,}|xai-\w{12,}|hf_\w{12,}|gh[opusr]_\w{12,})/g

/** With whatever has the form of a key left out. */
export function withoutKeys(text: string): string {
  return text.replaceAll(FORMS, '…')
}

/** A shell, or the program that reads the file, fills it in. */
function isFilledIn(value: string): boolean {
  return /^(?:\$\{?\w+\}?|\$env:\w+|%\w+%|\{env:\w+\}?|\{\{.*\}?|\$\{\{.*|process\.env\b.*|os\.environ\b.*|os\.getenv\b.*)$/i.test(
    value,
  )
}

function withoutEnd(value: string): string {
  return value.replace(/[)\]}>]+$/, (end) => (/^[<{[(]/.test(value) ? end : ''))
}

/** Every http address, without what a sentence puts behind it. At most five. */
export function addressesIn(text: string): readonly string[] {
  const found = [...text.matchAll(/https?:\/\/[^\s"'<>`\\,;()]+/gi)].map(([url]) => url.replace(/[.:!?\]}]+$/, ''))
  return [...new Set(found)].slice(0, MOST)
}

/** The model that is asked for; null: none is named. */
export function modelIn(text: string): string | null {
  for (const pattern of MODELS) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined && !/^(?:provider|providers|null|true|false)$/.test(found)) return found.slice(0, 200)
  }
  return null
}

const MODELS: readonly RegExp[] = [
  /"model"\s*:\s*"([^"{}]{1,200})"/i,
  /\bmodel\s+["“`]([^"”`]{1,200})["”`]/i,
  /^\s*(?:default_)?model\s*[=:]\s*["']?([\w./:@-]{1,200})/im,
  /(?:_MODEL|--model)[=\s]+["']?([\w./:@-]{1,200})/i,
  /\/models\/([\w./@-]{1,200}):\w*generateContent/i,
]

/** The protocol that the client speaks; null: nothing says so. */
export function protocolIn(text: string): ChatWire | null {
  return PROTOCOLS.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

const PROTOCOLS: readonly (readonly [RegExp, ChatWire])[] = [
  [/\/chat\/completions|wire_api\s*=\s*"chat"/i, 'openai-chat'],
  [/\/v1\/messages|anthropic-version|ANTHROPIC_/i, 'anthropic-messages'],
  [/\/responses\b|wire_api\s*=\s*"responses"/i, 'openai-responses'],
  [/generateContent|x-goog-api-key|GEMINI_|\/v1beta/i, 'gemini'],
]

/** Ids of requests, at most five. */
export function requestIdsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\breq_[0-9a-hjkmnp-tv-z]{20,32}\b/g))].slice(0, MOST)
}

/** The HTTP status that a client names; null: none. */
export function statusIn(text: string): number | null {
  const found =
    /(?:HTTP(?:\/[\d.]+)?|status(?:[ _]?code)?["']?|API error|error code|code["']?)\s*[:=]?\s*\(?([45]\d\d)\b/i.exec(
      text,
    )?.[1] ??
    /\b([45]\d\d) (?:Unauthorized|Forbidden|Not Found|Payment|Too Many|Bad|Service|Gateway|Internal|\{)/.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}
