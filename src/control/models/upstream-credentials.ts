import { mustBe } from '../../core/must-be.ts'
import type { z } from '@hono/zod-openapi'
import type { upstreamPatch } from '../../contract/upstreams.ts'
import { parseUsd } from '../../core/money.ts'
import { CREDENTIAL_SHADOWS } from '../../core/shadow-rules.ts'
import type { Model } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import {
  objectionToCredential,
  objectionToPool,
  ONLY_CREDENTIAL,
  unlimitedCredential,
} from '../../routing/credential-settings.ts'
import { CREDENTIAL_FORM, isCredential, PROXY_URL_FORM, readProxyUrl } from '../../routing/upstream-settings.ts'
import { fieldProblem } from '../problem.ts'
import { readShadow } from './read-shadow.ts'

/** What a request about an upstream is read with. */
export interface UpstreamReading {
  readonly seal: (text: string) => string
  readonly nowMs: number
  /** Models at the upstream that a target has, by their names there. */
  readonly modelsAtUpstream: ReadonlySet<string>
}

type Sent = Pick<z.output<typeof upstreamPatch>, 'credential' | 'credentials'>
type Written = NonNullable<Sent['credentials']>[number]

/** The credentials of a request, over those that the upstream has; undefined: none are written. Throws Problem `field_invalid`. */
export function readCredentials(
  { credential, credentials }: Sent,
  before: readonly Credential[],
  reading: UpstreamReading,
): readonly Credential[] | undefined {
  if (credentials === undefined) {
    if (credential === undefined) return undefined
    return credential === null ? [] : [unlimitedCredential(sealed(credential, 'credential', reading), ONLY_CREDENTIAL)]
  }
  if (credential !== undefined) {
    throw fieldProblem('credentials', 'credentials must not be sent with credential: leave one of the two out.')
  }
  const objection = objectionToPool(credentials)
  if (objection !== null) throw refused(`credentials.${objection.index}.${objection.field}`, objection.takes)
  return credentials.map((written, index) => readCredential(written, index, { before, reading }))
}

function readCredential(
  written: Written,
  index: number,
  { before, reading }: { before: readonly Credential[]; reading: UpstreamReading },
): Credential {
  const stored = before.find(({ name }) => name === written.name)
  const place = `credentials.${index}`
  if (written.secret === undefined && stored === undefined) {
    throw fieldProblem(
      `${place}.secret`,
      `${place}.secret is missing: the upstream has no credential of this name yet.`,
    )
  }
  const read: Credential = {
    name: written.name,
    sealedSecret:
      written.secret === undefined ? (stored?.sealedSecret ?? '') : sealed(written.secret, `${place}.secret`, reading),
    weight: written.weight,
    realm: written.realm,
    maxConcurrency: written.max_concurrency,
    requestsPerMinute: written.requests_per_minute,
    tokensPerMinute: written.tokens_per_minute,
    spendPerDay: written.spend_per_day === null ? null : parseUsd(written.spend_per_day),
    models: written.models,
    expiresAt: written.expires_at === null ? null : Date.parse(written.expires_at),
    sealedProxyUrl: sealedProxy(written.proxy_url, stored?.sealedProxyUrl ?? null, {
      field: `${place}.proxy_url`,
      seal: reading.seal,
    }),
    ...readShadow(CREDENTIAL_SHADOWS, { shadow: written.shadow, at: place, rules: written }),
  }
  const objection = objectionToCredential(read, { ...reading, before: stored })
  if (objection === null) return read
  const field = `${place}.${objection.field}`
  throw refused(objection.index === null ? field : `${field}.${objection.index}`, objection.takes)
}

function sealed(secret: string, field: string, { seal }: UpstreamReading): string {
  if (isCredential(secret)) return seal(secret)
  throw refused(field, CREDENTIAL_FORM)
}

/** The URL of a proxy as it is stored; what is left out stays as it stood. Throws Problem `field_invalid`. */
export function sealedProxy(
  sent: string | null | undefined,
  stood: string | null,
  { field, seal }: { field: string } & Pick<UpstreamReading, 'seal'>,
): string | null {
  if (sent === undefined) return stood
  if (sent === null) return null
  const url = readProxyUrl(sent)
  if (url === null) throw refused(field, PROXY_URL_FORM)
  return seal(url)
}

function refused(field: string, takes: string) {
  return fieldProblem(field, `${field} ${mustBe(takes)}.`)
}

/** Names of models at an upstream that a target has. */
export function modelsAtUpstream(upstreamId: string, models: readonly Model[]): ReadonlySet<string> {
  const targets = models.flatMap((model) => model.targets.filter((target) => target.upstreamId === upstreamId))
  return new Set(targets.map(({ model }) => model))
}
