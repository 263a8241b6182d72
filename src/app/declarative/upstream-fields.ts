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
import { isSealed } from '../../core/secret-box.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { objectionToPool, unlimitedCredential } from '../../routing/credential-settings.ts'
import { DROPPABLE_SETTING_NAMES } from '../../core/request-settings-names.ts'
import { CREDENTIAL_SHADOWS, SHADOW_FORM, shadowOf, type ShadowRule, unsetShadow } from '../../core/shadow-rules.ts'
import { field, lengthWithin, listOf, listOfWords, moment, text, usd, wholeNumber, yesOrNo } from './fields.ts'

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
    return isSealed(value) ? value : lengthWithin(value, BOUNDS.credential.secret)
  })
}

export const credentialFields = {
  name: text(BOUNDS.credential.name),
  secret: credential(),
  weight: wholeNumber(BOUNDS.credential.weight).nullish(),
  realm: text(BOUNDS.credential.realm).nullish(),
  max_concurrency: wholeNumber(BOUNDS.credential.max_concurrency).nullish(),
  requests_per_minute: wholeNumber(BOUNDS.credential.requests_per_minute).nullish(),
  tokens_per_minute: wholeNumber(BOUNDS.credential.tokens_per_minute).nullish(),
  spend_per_day: usd(BOUNDS.credential.spend_per_day).nullish(),
  models: listOf(text(BOUNDS.credential.model), 'model names', BOUNDS.credential.models).nullish(),
  expires_at: moment().nullish(),
  shadow: shadow(CREDENTIAL_SHADOWS).nullish(),
  proxy_url: proxyUrl().nullish(),
  disabled: yesOrNo().nullish(),
}

/** The credentials of an upstream, with their secrets as they are written. */
export function credentials() {
  const named = z.strictObject(credentialFields, 'a map with name and secret').superRefine(requireShadowed)
  const one = named.transform((fields) => {
    const { sealedSecret: secret, sealedProxyUrl: _, ...unlimited } = unlimitedCredential(fields.secret, fields.name)
    return {
      ...unlimited,
      secret,
      proxyUrl: fields.proxy_url ?? null,
      isDisabled: fields.disabled ?? false,
      weight: fields.weight ?? 1,
      realm: fields.realm ?? null,
      maxConcurrency: fields.max_concurrency ?? null,
      requestsPerMinute: fields.requests_per_minute ?? null,
      tokensPerMinute: fields.tokens_per_minute ?? null,
      spendPerDay: fields.spend_per_day ?? null,
      models: fields.models ?? null,
      expiresAt: fields.expires_at ?? null,
      ...shadowOf(CREDENTIAL_SHADOWS, fields.shadow ?? []),
    }
  })
  return listOf(one, 'credentials', BOUNDS.upstream.credentials).superRefine((list, context) => {
    const objection = objectionToPool(list)
    if (objection === null) return
    const { index, field: wrong, takes } = objection
    context.addIssue({ code: 'custom', path: [index, wrong], message: takes })
  })
}

/** Rules that are not enforced. */
export function shadow<Rule extends ShadowRule>(rules: readonly Rule[]) {
  return listOfWords(rules, 'names of rules')
}

/** Objects to a rule in shadow that is not set beside it. */
export function requireShadowed<Rule extends ShadowRule>(
  fields: { readonly shadow?: readonly Rule[] | null | undefined } & { readonly [Each in Rule]?: unknown },
  context: z.RefinementCtx,
): void {
  const index = unsetShadow(fields.shadow ?? [], fields)
  // What is not whole is not judged further, as a pool of credentials is.
  if (index !== -1) context.addIssue({ code: 'custom', path: ['shadow', index], message: SHADOW_FORM, continue: false })
}

/** Settings of requests that are not taken, each once. */
export function dropFields() {
  return listOfWords(DROPPABLE_SETTING_NAMES, 'names of settings').transform((names) => [...new Set(names)])
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
