import { z } from 'zod'
import {
  BASE_URL_FORM,
  CREDENTIAL_FORM,
  HEADER_VALUE_FORM,
  isCredential,
  isHeaderValue,
  objectionToHeader,
  PROXY_URL_FORM,
  readBaseUrl,
  readProxyUrl,
} from '../../routing/upstream-settings.ts'
import { CREDENTIAL_KIND_NAMES, type MintedKind, objectionToKind } from '../../core/credential-kind.ts'
import { isSecretFile } from '../../core/credential-secret.ts'
import { isSealed } from '../../core/secret-box.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { objectionToPool } from '../../routing/credential-settings.ts'
import { SHADOW_FORM, type ShadowRule, unsetShadow } from '../../core/shadow-rules.ts'
import { CREDENTIAL } from '../../contract/objects/credential.ts'
import { objectOf } from '../../contract/objects/object-fields.ts'
import { field, lengthWithin, listOf, oneOf, text, yesOrNo } from './fields.ts'
import { fileShape } from './file-shape.ts'

/** Where an upstream answers: an http(s) URL, kept without its trailing slash. */
export function baseUrl() {
  return field(BASE_URL_FORM, (value) => {
    const url = typeof value === 'string' ? readBaseUrl(value) : null
    return url === null ? undefined : lengthWithin(url, BOUNDS.upstream.base_url)
  })
}

export function credential() {
  return field(CREDENTIAL_FORM, (value) => {
    if (typeof value !== 'string' || !isCredential(value)) return undefined
    // As an export may have it.
    return isSealed(value) ? value : lengthWithin(value, BOUNDS.upstream.credential)
  })
}

/** A secret of any kind: of some it is a file with line breaks, which `requireOfKind` judges. */
function credentialSecret() {
  return field(CREDENTIAL_FORM, (value) => {
    if (typeof value !== 'string' || !isSecretFile(value)) return undefined
    return isSealed(value) ? value : lengthWithin(value, BOUNDS.credential.secret)
  })
}

export const credentialFields = {
  ...fileShape(CREDENTIAL, {
    kind: oneOf(...CREDENTIAL_KIND_NAMES).transform((kind) => (kind === 'static' ? null : kind)),
    settings: z.record(z.string(), text(BOUNDS.credential.setting), 'a map of settings'),
    secret: credentialSecret()
      .nullish()
      .transform((secret) => secret ?? ''),
    proxy_url: proxyUrl(),
  }),
  disabled: yesOrNo().nullish(),
}

/** The credentials of an upstream, with their secrets as they are written. */
export function credentials() {
  const named = z
    .strictObject(credentialFields, 'a map with name and secret')
    .superRefine(requireShadowed)
    .superRefine(requireOfKind)
  const one = named.transform(({ disabled, ...fields }) => {
    const { sealedSecret: secret, sealedProxyUrl: proxy, ...settings } = objectOf(CREDENTIAL, fields)
    return { ...settings, secret, proxyUrl: proxy, isDisabled: disabled ?? false }
  })
  return listOf(one, 'credentials', BOUNDS.upstream.credentials).superRefine((list, context) => {
    const objection = objectionToPool(list)
    if (objection === null) return
    const { index, field: wrong, takes } = objection
    context.addIssue({ code: 'custom', path: [index, wrong], message: takes })
  })
}

/** Objects to a secret and to settings that are not those of the credential's kind. */
function requireOfKind(
  fields: {
    readonly kind: MintedKind | null
    readonly settings: Readonly<Record<string, string>>
    readonly secret: string
  },
  context: z.RefinementCtx,
): void {
  const { kind, settings, secret } = fields
  const objection = objectionToKind({
    kind: kind ?? 'static',
    settings,
    hasSecret: secret !== '',
    secret: secret === '' || isSealed(secret) ? null : secret,
  })
  if (objection === null) return
  const path = objection.setting === null ? ['secret'] : ['settings', objection.setting]
  context.addIssue({ code: 'custom', path, message: objection.takes })
}

/** Objects to a rule in shadow that is not set beside it. */
export function requireShadowed<Rule extends ShadowRule>(
  fields: { readonly shadow: readonly Rule[] } & { readonly [Each in Rule]?: unknown },
  context: z.RefinementCtx,
): void {
  const index = unsetShadow(fields.shadow, fields)
  // What is not whole is not judged further, as a pool of credentials is.
  if (index !== -1) context.addIssue({ code: 'custom', path: ['shadow', index], message: SHADOW_FORM, continue: false })
}

export function proxyUrl() {
  return field(PROXY_URL_FORM, (value) => {
    if (typeof value !== 'string') return undefined
    // As an export may have it.
    return isSealed(value) ? value : (readProxyUrl(value) ?? undefined)
  })
}

/** A header's name, in lower case. */
export function headerName() {
  return field('a header name of letters, digits and "-"', (value) =>
    typeof value === 'string' && objectionToHeader(value.toLowerCase()) === null ? value.toLowerCase() : undefined,
  )
}

/** Headers sent to the upstream with every request; names in lower case. */
export function headers() {
  const headerValue = field(HEADER_VALUE_FORM, (given) =>
    typeof given === 'string' && isHeaderValue(given) ? given : undefined,
  )
  return z.record(z.string(), headerValue, 'a map of header names and values').transform((given, context) => {
    const kept: Record<string, string> = Object.create(null) as Record<string, string>
    for (const [name, value] of Object.entries(given)) {
      const lower = name.toLowerCase()
      const message = lower in kept ? 'must be named once' : objectionToHeader(lower)
      if (message === null) kept[lower] = value
      else context.addIssue({ code: 'custom', path: [name], message, input: name, params: { isAboutName: true } })
    }
    return { ...kept }
  })
}
