import { mustBe } from '../../core/must-be.ts'
import type { z } from '@hono/zod-openapi'
import type { upstreamCreate, upstreamPatch } from '../../contract/upstreams.ts'
import type { RequestOverrides, Upstream } from '../../routing/catalog.ts'
import {
  BASE_URL_FORM,
  HEADER_VALUE_FORM,
  isHeaderValue,
  objectionToChangedHeaders,
  requestOverrides,
  objectionToBaseUrl,
  objectionToHeader,
  readBaseUrl,
} from '../../routing/upstream-settings.ts'
import { type NanoUsd, parseUsd } from '../../core/money.ts'
import { UPSTREAM_SHADOWS } from '../../core/shadow-rules.ts'
import { fieldProblem } from '../problem.ts'
import { patchedShadow, readShadow } from './read-shadow.ts'
import { readCredentials, sealedProxy, type UpstreamReading } from './upstream-credentials.ts'

type Seal = (text: string) => string

/** A new upstream from a request. Throws Problem `field_invalid`. */
export function readUpstream(
  body: z.output<typeof upstreamCreate>,
  reading: UpstreamReading,
): Omit<Upstream, 'id' | 'isManaged'> {
  const { seal } = reading
  return {
    name: body.name,
    protocol: body.protocol,
    baseUrl: readAddress(body.base_url, body.protocol),
    credentials: readCredentials({ ...body, credential: body.credential ?? undefined }, [], reading) ?? [],
    connectTimeoutMs: body.connect_timeout_ms,
    firstByteTimeoutMs: body.first_byte_timeout_ms,
    timeoutMs: body.timeout_ms,
    maxConcurrency: body.max_concurrency,
    ...readCap(body.spend_per_day),
    ...readShadow(UPSTREAM_SHADOWS, { shadow: body.shadow, rules: body }),
    headers: readHeaders(body.headers, seal),
    ...readPassage({}, body, seal),
  }
}

/** The upstream with a request's changes. Throws Problem `field_invalid`. */
export function patchedUpstream(
  before: Upstream,
  body: z.output<typeof upstreamPatch>,
  reading: UpstreamReading,
): Upstream {
  const { seal } = reading
  const protocol = body.protocol ?? before.protocol
  const baseUrl =
    body.base_url === undefined && body.protocol === undefined
      ? before.baseUrl
      : readAddress(body.base_url ?? before.baseUrl, protocol)
  requireOwnCredential(before, { baseUrl, body })
  const or = <Value>(sent: Value | undefined, stood: Value): Value => (sent === undefined ? stood : sent)
  const { passage = {}, spendPerDay, shadow, ...others } = before
  const cap = body.spend_per_day === undefined ? { spendPerDay } : readCap(body.spend_per_day)
  return {
    ...others,
    name: body.name ?? before.name,
    protocol,
    baseUrl,
    credentials: readCredentials(body, before.credentials, reading) ?? before.credentials,
    connectTimeoutMs: or(body.connect_timeout_ms, before.connectTimeoutMs),
    firstByteTimeoutMs: or(body.first_byte_timeout_ms, before.firstByteTimeoutMs),
    timeoutMs: or(body.timeout_ms, before.timeoutMs),
    maxConcurrency: or(body.max_concurrency, before.maxConcurrency),
    ...(cap.spendPerDay === undefined ? {} : { spendPerDay: cap.spendPerDay }),
    ...patchedShadow(UPSTREAM_SHADOWS, {
      shadow: body.shadow,
      stood: shadow,
      rules: { spend_per_day: cap.spendPerDay },
    }),
    headers: body.headers === undefined ? before.headers : readHeaders(body.headers, seal),
    ...readPassage(passage, body, seal),
  }
}

/** A stored credential that can be sent to any address can be read there; headers may hold secrets as well. */
function requireOwnCredential(
  before: Upstream,
  { baseUrl, body }: { baseUrl: string; body: z.output<typeof upstreamPatch> },
): void {
  // Without TLS a proxy reads what passes through it.
  const isPlain = baseUrl.startsWith('http:')
  const isReadByProxy = isPlain && body.proxy_url != null
  const isReadByOwnProxy = (sent: SentCredential) => isPlain && sent.proxy_url != null
  const isForAll = baseUrl !== before.baseUrl || isReadByProxy
  if (!isForAll && body.credentials?.some(isReadByOwnProxy) !== true) return
  const mayStay = (sent: SentCredential) => sent.secret !== undefined || !(isForAll || isReadByOwnProxy(sent))
  const isOwn = body.credentials?.every(mayStay) ?? body.credential !== undefined
  if (before.credentials.length > 0 && !isOwn) {
    throw fieldProblem(
      body.credentials === undefined ? 'credential' : 'credentials',
      'A new base_url, and a proxy_url for one without TLS, must come with every secret for it in the same request: credential (or null), or credentials each with its secret. What is stored is not sent to another address.',
    )
  }
  if (Object.keys(before.headers).length > 0 && body.headers === undefined) {
    throw fieldProblem(
      'headers',
      'headers is missing: a new base_url, and a proxy_url for one without TLS, must come with the headers for it in the same request, or {}. What is stored is not sent to another address.',
    )
  }
}

function readCap(sent: string | null): { readonly spendPerDay?: NanoUsd } {
  return sent === null ? {} : { spendPerDay: parseUsd(sent) }
}

function readAddress(text: string, protocol: Upstream['protocol']): string {
  const url = readBaseUrl(text)
  if (url === null) throw fieldProblem('base_url', `base_url ${mustBe(BASE_URL_FORM)}.`)
  const objection = objectionToBaseUrl(protocol, url)
  if (objection !== null) throw fieldProblem('base_url', `base_url ${mustBe(objection)}.`)
  return url
}

type SentCredential = NonNullable<z.output<typeof upstreamPatch>['credentials']>[number]

type SentPassage = Pick<
  z.output<typeof upstreamPatch>,
  'proxy_url' | 'remove_headers' | 'rename_headers' | 'drop_fields' | 'prefix_cache'
>

/** What is left out stays. */
function readPassage(before: RequestOverrides, sent: SentPassage, seal: Seal): Pick<Upstream, 'passage'> {
  const removed = sent.remove_headers?.map((name) => name.toLowerCase()) ?? before.removedHeaders ?? []
  const renamed =
    sent.rename_headers === undefined
      ? (before.renamedHeaders ?? {})
      : Object.fromEntries(
          Object.entries(sent.rename_headers).map(([from, to]) => [from.toLowerCase(), to.toLowerCase()]),
        )
  const objection = objectionToChangedHeaders(removed, renamed)
  if (objection !== null) throw fieldProblem(objection.field, `${objection.field} ${mustBe(objection.takes)}.`)
  const sealedProxyUrl = sealedProxy(sent.proxy_url, before.sealedProxyUrl ?? null, { field: 'proxy_url', seal })
  const dropped = sent.drop_fields === undefined ? (before.droppedSettings ?? []) : [...new Set(sent.drop_fields)]
  const keepsPrefixes = sent.prefix_cache ?? before.keepsPrefixes ?? false
  const passage = requestOverrides({
    removed,
    renamed,
    sealedProxyUrl: sealedProxyUrl ?? undefined,
    dropped,
    keepsPrefixes,
  })
  return passage === null ? {} : { passage }
}

function readHeaders(sent: Readonly<Record<string, string>>, seal: Seal): Readonly<Record<string, string>> {
  const kept = new Map<string, string>()
  for (const [name, value] of Object.entries(sent)) {
    const lower = name.toLowerCase()
    const objection = kept.has(lower) ? 'each name once' : objectionToHeader(lower)
    if (objection !== null) throw fieldProblem('headers', `headers ${mustBe(objection)}.`)
    if (!isHeaderValue(value)) throw fieldProblem('headers', `Each value of headers ${mustBe(HEADER_VALUE_FORM)}.`)
    kept.set(lower, seal(value))
  }
  return Object.fromEntries(kept)
}
