import { mustBe } from '../../core/must-be.ts'
import type { z } from '@hono/zod-openapi'
import { objectOf, readChanged, readNew } from '../../contract/objects/object-fields.ts'
import { UPSTREAM } from '../../contract/objects/upstream.ts'
import type { upstreamCreate, upstreamPatch } from '../../contract/upstreams.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import {
  BASE_URL_FORM,
  HEADER_VALUE_FORM,
  isHeaderValue,
  objectionToChangedHeaders,
  objectionToBaseUrl,
  objectionToDialect,
  objectionToHeader,
  readBaseUrl,
} from '../../routing/upstream-settings.ts'
import { fieldProblem } from '../problem.ts'
import { requireShadowed } from './require-shadowed.ts'
import { hasSecretOf, readCredentials, sealedProxy, type UpstreamReading } from './upstream-credentials.ts'

/** A new upstream from a request. Throws Problem `field_invalid`. */
export function readUpstream(
  body: z.output<typeof upstreamCreate>,
  reading: UpstreamReading,
): Omit<Upstream, 'id' | 'isManaged'> {
  const { seal } = reading
  const held = readNew(UPSTREAM, body)
  const upstream = {
    ...objectOf(UPSTREAM, {
      ...held,
      base_url: readAddress(body.base_url, body.protocol),
      headers: readHeaders(body.headers, seal),
      proxy_url: sealedProxy(body.proxy_url, null, { field: 'proxy_url', seal }),
    }),
    credentials: readCredentials({ ...body, credential: body.credential ?? undefined }, [], reading) ?? [],
  }
  requireShadowed(held)
  requireChangedHeaders(upstream)
  requireDialect(upstream)
  return upstream
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
  const held = readChanged(UPSTREAM, body, before)
  if (body.shadow !== undefined) requireShadowed(held)
  const upstream = {
    ...objectOf(UPSTREAM, {
      ...held,
      protocol,
      base_url: baseUrl,
      // A rule goes with what it is about.
      shadow: held.shadow.filter((rule) => held[rule] !== null),
      headers: body.headers === undefined ? before.headers : readHeaders(body.headers, seal),
      proxy_url: sealedProxy(body.proxy_url, held.proxy_url, { field: 'proxy_url', seal }),
    }),
    id: before.id,
    credentials: readCredentials(body, before.credentials, reading) ?? before.credentials,
    isManaged: before.isManaged,
  }
  requireChangedHeaders(upstream)
  requireDialect(upstream)
  return upstream
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
  const mayStay = (sent: SentCredential) =>
    sent.secret !== undefined || !hasSecretOf(sent) || !(isForAll || isReadByOwnProxy(sent))
  const isKept = ({ kind, settings = {} }: Credential) => !hasSecretOf({ kind: kind ?? 'static', settings })
  const isOwn = body.credentials?.every(mayStay) ?? (body.credential !== undefined || before.credentials.every(isKept))
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

function readAddress(text: string, protocol: Upstream['protocol']): string {
  const url = readBaseUrl(text)
  if (url === null) throw fieldProblem('base_url', `base_url ${mustBe(BASE_URL_FORM)}.`)
  const objection = objectionToBaseUrl(protocol, url)
  if (objection !== null) throw fieldProblem('base_url', `base_url ${mustBe(objection)}.`)
  return url
}

type SentCredential = NonNullable<z.output<typeof upstreamPatch>['credentials']>[number]

/** Throws Problem `field_invalid` for headers that cannot be left out or renamed. */
function requireChangedHeaders({ passage }: Pick<Upstream, 'passage'>): void {
  const objection = objectionToChangedHeaders(passage?.removedHeaders ?? [], passage?.renamedHeaders ?? {})
  if (objection !== null) throw fieldProblem(objection.field, `${objection.field} ${mustBe(objection.takes)}.`)
}

/** Throws Problem `field_invalid` for a dialect that does not fit, and for settings that belong to another. */
function requireDialect(upstream: Pick<Upstream, 'protocol' | 'passage'>): void {
  const objection = objectionToDialect(upstream)
  if (objection !== null) throw fieldProblem(objection.field, `${objection.field} ${mustBe(objection.takes)}.`)
}

function readHeaders(
  sent: Readonly<Record<string, string>>,
  seal: UpstreamReading['seal'],
): Readonly<Record<string, string>> {
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
