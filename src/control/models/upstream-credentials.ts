import { mustBe } from '../../core/must-be.ts'
import type { z } from '@hono/zod-openapi'
import { type CredentialKind, credentialSource, objectionToKind, sourceOf } from '../../core/credential-kind.ts'
import { isSecretFile } from '../../core/credential-secret.ts'
import { CREDENTIAL } from '../../contract/objects/credential.ts'
import { objectOf, readNew } from '../../contract/objects/object-fields.ts'
import type { upstreamPatch } from '../../contract/upstreams.ts'
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
import { requireShadowed } from './require-shadowed.ts'

/** What a request about an upstream is read with. */
export interface UpstreamReading {
  readonly seal: (text: string) => string
  readonly nowMs: number
  /** Models at the upstream that a target has, by their names there. */
  readonly modelsAtUpstream: ReadonlySet<string>
}

type CredentialsBody = Pick<z.output<typeof upstreamPatch>, 'credential' | 'credentials'>
type CredentialBody = NonNullable<CredentialsBody['credentials']>[number]

/** The credentials of a request, over those that the upstream has; undefined: none are written. Throws Problem `field_invalid`. */
export function readCredentials(
  { credential, credentials }: CredentialsBody,
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
  written: CredentialBody,
  index: number,
  { before, reading }: { before: readonly Credential[]; reading: UpstreamReading },
): Credential {
  const stored = before.find(({ name }) => name === written.name)
  const place = `credentials.${index}`
  requireOfKind(written, stored, place)
  if (written.secret === undefined && stored === undefined && written.kind === 'static') {
    throw fieldProblem(
      `${place}.secret`,
      `${place}.secret is missing: the upstream has no credential of this name yet.`,
    )
  }
  const held = readNew(CREDENTIAL, { ...written, secret: '', proxy_url: null })
  const read: Credential = objectOf(CREDENTIAL, {
    ...held,
    secret:
      written.secret === undefined
        ? ((hasSecretOf(written) ? stored?.sealedSecret : undefined) ?? reading.seal(''))
        : sealed(written.secret, `${place}.secret`, { ...reading, kind: written.kind }),
    proxy_url: sealedProxy(written.proxy_url, stored?.sealedProxyUrl ?? null, {
      field: `${place}.proxy_url`,
      seal: reading.seal,
    }),
  })
  requireShadowed(held, place)
  const objection = objectionToCredential(read, { ...reading, before: stored })
  if (objection === null) return read
  const field = `${place}.${objection.field}`
  throw refused(objection.index === null ? field : `${field}.${objection.index}`, objection.takes)
}

/** Throws Problem `field_invalid` for a secret and settings that are not those of the credential's kind. */
function requireOfKind(
  { kind, settings, secret }: CredentialBody,
  stored: Credential | undefined,
  place: string,
): void {
  if (kind === 'static' && Object.keys(settings).length === 0) return
  const named = sourceOf(kind, settings)
  const isSameSource = stored?.kind === kind && sourceOf(kind, stored.settings ?? {}) === named
  const keeps = isSameSource && credentialSource(kind, named)?.secret !== null
  const objection = objectionToKind({
    kind,
    settings,
    hasSecret: secret !== undefined || keeps,
    secret: secret ?? null,
  })
  if (objection === null) return
  throw refused(
    objection.setting === null ? `${place}.secret` : `${place}.settings.${objection.setting}`,
    objection.takes,
  )
}

/** Whether a credential of this kind and source has a secret: what was stored for another one is not kept. */
export function hasSecretOf({
  kind,
  settings,
}: {
  readonly kind: CredentialKind
  readonly settings: Readonly<Record<string, string>>
}): boolean {
  return credentialSource(kind, sourceOf(kind, settings))?.secret !== null
}

function sealed(
  secret: string,
  field: string,
  { seal, kind = 'static' }: Pick<UpstreamReading, 'seal'> & { readonly kind?: CredentialKind },
): string {
  if (kind === 'static' ? isCredential(secret) : isSecretFile(secret)) return seal(secret)
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
