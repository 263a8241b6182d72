import type { ChatWire } from '../core/wire.ts'

/** A text that stands where a key belongs, and how it was found. */
export interface PastedKey {
  readonly text: string
  /** How it was recognised: as the whole of what was pasted, by its form, or as the value of a header, option or setting. */
  readonly by: 'alone' | 'form' | 'place'
}

/** How much of a text is read, in characters: a config file, or the end of a log. */
export const PASTED_CHARACTERS = 50_000
const MOST = 5

/** Every text that is a key or stands in a key's place, at most five. */
export function keysIn(text: string): readonly PastedKey[] {
  const bare = text.trim()
  if (/^\S{12,}$/.test(bare) && !bare.includes('://') && !bare.startsWith('req_') && !NOT_A_KEY.test(bare)) {
    return [{ text: bare, by: 'alone' }]
  }
  const placed = PLACES.flatMap((place) => [...text.matchAll(place)].map((match) => match[1] ?? ''))
    .map(withoutEnd)
    .filter((value) => value !== '' && !isFilledIn(value))
  // What is shown with a part hidden is not what was sent.
  const formed = [...text.matchAll(FORMS)]
    .filter(
      (match) => !/^(?:[*…•]|\.\.)/u.test(text.slice(match.index + match[0].length, match.index + match[0].length + 2)),
    )
    .map(([found]) => found)
  const known = new Set(placed)
  const keys = [
    ...[...known].map((value) => ({ text: value, by: 'place' as const })),
    ...[...new Set(formed)]
      .filter((value) => ![...known].some((other) => other.includes(value)))
      .map((value) => ({ text: value, by: 'form' as const })),
  ]
  return keys.slice(0, MOST)
}

/** JSON, a page, or the code of an error. */
const NOT_A_KEY = /^[{[<]|^(?:net::)?[A-Z][A-Z0-9]{0,20}(?:_[A-Z0-9]{1,20}){1,9}$/

/** Headers, options of curl and of clients, environment variables and fields of config files. */
const PLACES: readonly RegExp[] = [
  /authorization["']?\s*[:=]\s*["']?bearer\s+(<[^<>\n]{1,60}>|(?:bearer\s+)?[^\s"',;\\]+)/gi,
  /(?:x-api-key|x-goog-api-key|api-key)["']?\s*[:=]\s*["']?(<[^<>\n]{1,60}>|[^\s"',;\\]+)/gi,
  /(?:^|[\s{,"'])(?:[A-Za-z]+_)*(?:api_?key|auth_?token|apikey|authtoken)["']?\s*[:=]\s*["']?(<[^<>\n]{1,60}>|[^\s"',;\\}]+)/gim,
  /--(?:api-)?key[=\s]+["']?([^\s"',;\\]+)/gi,
]

/** The forms of our own keys, whole or not, and of other vendors'. */
const FORMS =
  /(?<![\w-])(?:sk-tg-\w+|tg-pat-\w+|sk-(?:ant|or|proj|svcacct)-[\w-]{8,}|sk-[A-Za-z0-9]{20,}|AIza[\w-]{20,}|gsk_\w{12,}|xai-\w{12,}|hf_\w{12,}|gh[opusr]_\w{12,})/g

/** The end of a key of ours that is shown with its middle hidden, as providers show one that they refuse; null: there is none. */
export function maskedEndIn(text: string): string | null {
  return /(?<![\w-])sk-tg-\w{0,10}(?:\*{2,60}|\.{3}|…|•{2,60})(\w{4})(?![\w*])/u.exec(text)?.[1] ?? null
}

/** Leaves out whatever has the form of a key. */
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

/** The host of a provider's API where a client names it without a scheme; null: none. */
export function providerHostIn(text: string): string | null {
  return PROVIDER_HOSTS.exec(text)?.[1]?.toLowerCase() ?? null
}

const PROVIDER_HOSTS =
  /(?:host=['"]?|connect to (?:host )?|lookup |resolve (?:host:? )?['"]?|connecting to |ENOTFOUND |EAI_AGAIN |request to |Host:? )(api\.(?:openai|anthropic|deepseek|mistral|groq|x|moonshot|minimaxi?|siliconflow)\.(?:com|ai|cn)|generativelanguage\.googleapis\.com|openrouter\.ai|open\.bigmodel\.cn|dashscope\.aliyuncs\.com|chatgpt\.com|[\w-]{1,60}\.openai\.azure\.com)(?![\w.-])/i

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
  /^[ \t]{0,40}(?:default_)?model\s*[=:]\s*["']?([\w./:@-]{1,200})/im,
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
  for (const pattern of STATUSES) {
    const match = pattern.exec(text)
    const found = match?.[1] ?? match?.[2]
    if (found !== undefined) return Number(found)
  }
  return null
}

/** Where a status is read: behind a word that says what it is, before one, in a title, at the beginning of a line, or as the whole text. */
const STATUSES: readonly RegExp[] = [
  /(?:HTTP(?:\/[\d.]{1,3})?(?: error| status)?|status(?:[ _]?code)?['"]?|API error|(?:response )?(?:error )?code['"]?|Failed with|HTTP ?状态码|状态码|错误码|错误代码)(?: is| of)?\s{0,9}[:=：,']{0,3}\s{0,9}["'(`]?([345]\d\d)\b/i,
  /\b([345]\d\d):? ["“'`]?(?:[Uu]nauthorized|[Ff]orbidden|[Nn]ot [Ff]ound|Payment|Too Many|Bad|bad gateway|Service|service unavailable|Gateway|gateway time|[Ii]nternal|Client Error|Server Error|Request|Payload|Content|Method|Unprocessable|Conflict|Authorization|Moved|Found|Temporary|Permanent|\{)/,
  /(?:returned error|Exception|Error): ([45]\d\d)(?![\w.])/,
  /<title>[^<]{0,80}?\b([45]\d\d)\b/i,
  /^[\s"'✕❌⎿•[(]{0,9}(?:(?:API )?[Ee]rror:? )?([45]\d\d)(?=[:,)\]"'{]|\s{0,3}(?:$|[A-Z{"'-]|[\u4e00-\u9fff]))/m,
  /\b([45]\d\d) status code/i,
  /\[([45]\d\d)\]|(?:报错|错误|返回)了?\s{0,3}["'`]?([45]\d\d)(?!\d)/,
]
