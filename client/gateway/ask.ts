import { Failure } from '../host.ts'
import { shown } from './shown.ts'

/** The most that an answer may have. What a gateway says to this program is a few kilobytes. */
const MOST_BYTES = 1_000_000
const WITHIN_MS = 20_000

/** Where a request to a gateway ended before there was an answer. */
export type Stage = 'name' | 'connection' | 'TLS' | 'answer'

/** A gateway that does not answer, or not as a gateway does. Says nothing about the sign-in. */
export class Unreachable extends Failure {
  readonly stage: Stage
  readonly url: string

  constructor(stage: Stage, url: string, sentence: string) {
    super(sentence)
    this.stage = stage
    this.url = url
  }
}

let prepare: (() => Promise<void>) | null = null

/** Has the process do this once, before it asks a gateway for the first time: tokens that are kept need none of it. */
export function beforeFirstRequest(step: () => Promise<void>): void {
  prepare = step
}

export interface Question {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly withinMs?: number
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The fields of the JSON object; null where the body is not one. */
  readonly body: Fields | null
}

export type Fields = Readonly<Record<string, unknown>>

/** Asks a gateway. Redirects are not followed: they would carry a token to another address. */
export async function ask(question: Question): Promise<Answer> {
  const { url, withinMs = WITHIN_MS } = question
  const signal = AbortSignal.timeout(withinMs)
  try {
    const step = prepare
    prepare = null
    await step?.()
    const response = await fetch(url, { ...partsOf(question), redirect: 'manual', signal })
    if (response.status >= 300 && response.status < 400 && response.status !== 304) throw elsewhere(url, response)
    const text = await readText(url, response)
    return { status: response.status, headers: response.headers, body: fieldsIn(text, response) }
  } catch (error) {
    throw error instanceof Unreachable ? error : unreachable(url, error)
  }
}

function partsOf({ method, form, json, headers }: Question): RequestInit {
  const body =
    form !== undefined ? new URLSearchParams(form).toString() : json === undefined ? null : JSON.stringify(json)
  const type = form !== undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method: method ?? (body === null ? 'GET' : 'POST'),
    headers: { accept: 'application/json', ...(body === null ? {} : { 'content-type': type }), ...headers },
    body,
  }
}

async function readText(url: string, response: Response): Promise<string> {
  if (response.body === null) return ''
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body) {
    bytes += part.length
    if (bytes > MOST_BYTES)
      throw new Unreachable('answer', url, `${hostOf(url)} answers with more than this program reads.`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function fieldsIn(text: string, { headers }: Response): Fields | null {
  if (!/^application\/(?:[a-z.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')) return null
  try {
    return asFields(JSON.parse(text))
  } catch {
    return null
  }
}

/** The value as a JSON object; null where it is something else. */
export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

/** The text of a field; null where there is none, or none of a sensible length. */
export function textOf(fields: Fields | null, name: string, most = 4_000): string | null {
  const value = fields !== null && Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' && value !== '' && value.length <= most ? value : null
}

/** The number of a field; null where there is none. */
export function numberOf(fields: Fields | null, name: string): number | null {
  const value = fields !== null && Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** What the gateway itself says about a refusal, as it may be shown; null where it says nothing. */
export function saidIn({ body }: Pick<Answer, 'body'>): string | null {
  const nested = asFields(body?.['error'])
  const text =
    textOf(nested, 'message') ?? textOf(body, 'error_description') ?? textOf(body, 'detail') ?? textOf(body, 'title')
  return text === null ? null : shown(text)
}

function elsewhere(url: string, { headers }: Response): Unreachable {
  const place = headers.get('location') ?? ''
  const target = URL.canParse(place, url) ? new URL(place, url) : null
  const isAddress = target !== null && /^https?:$/.test(target.protocol)
  const where = isAddress ? ` to ${shown(target.origin, 200)}` : ''
  return new Unreachable(
    'answer',
    url,
    `${hostOf(url)} sends on${where} instead of answering: name the gateway by its own address.`,
  )
}

const NAMES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'])

function unreachable(url: string, error: unknown): Unreachable {
  const code = codeOf(error)
  const host = hostOf(url)
  if (error instanceof Error && /^(?:TimeoutError|AbortError)$/.test(error.name)) {
    return new Unreachable('connection', url, `${host} does not answer in time.`)
  }
  if (NAMES.has(code))
    return new Unreachable('name', url, `The name ${host} cannot be found: check the address, and the network or VPN.`)
  const certificate = CERTIFICATES[code]
  if (certificate !== undefined) return new Unreachable('TLS', url, `The certificate of ${host} ${certificate}`)
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code)) {
    return new Unreachable('TLS', url, `${host} does not speak TLS there (${code}): check the port of the address.`)
  }
  return new Unreachable('connection', url, `${host} cannot be reached${code === '' ? '' : ` (${code})`}.`)
}

const UNKNOWN_ISSUER =
  'is signed by an authority that Node.js does not know: where it is your company’s own, name its file in NODE_EXTRA_CA_CERTS.'
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired.',
  CERT_NOT_YET_VALID: 'is not valid yet: check the clock of this computer.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
}

/** The code of what Node.js reports, which stands one or two causes deep; for several addresses, of the first. */
function codeOf(error: unknown): string {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 4; depth++) {
    if ('code' in each && typeof each.code === 'string' && each.code !== '') return each.code
    each = each instanceof AggregateError ? each.errors[0] : each.cause
  }
  return ''
}

function hostOf(url: string): string {
  return new URL(url).host
}
