import { z } from 'zod'
import {
  BASE_URL_FORM,
  CREDENTIAL_FORM,
  HEADER_VALUE_FORM,
  isCredential,
  isHeaderValue,
  objectionToHeader,
  readBaseUrl,
} from '../../routing/upstream-settings.ts'
import { field } from './fields.ts'

/** Where an upstream answers: an http(s) URL, kept without its trailing slash. */
export function baseUrl() {
  return field(BASE_URL_FORM, (value) => (typeof value === 'string' ? (readBaseUrl(value) ?? undefined) : undefined))
}

export function credential() {
  return field(CREDENTIAL_FORM, (value) => (typeof value === 'string' && isCredential(value) ? value : undefined))
}

/** Headers sent to the upstream with every request; names in lower case. */
export function headers() {
  const value = field(HEADER_VALUE_FORM, (given) =>
    typeof given === 'string' && isHeaderValue(given) ? given : undefined,
  )
  return z.record(z.string(), value, 'a map of header names and values').transform((given, context) => {
    const kept: Record<string, string> = Object.create(null) as Record<string, string>
    for (const [name, text] of Object.entries(given)) {
      const lower = name.toLowerCase()
      const message = lower in kept ? 'each name once' : objectionToHeader(lower)
      if (message === null) kept[lower] = text
      else context.addIssue({ code: 'custom', path: [name], message, input: name, params: { isAboutName: true } })
    }
    return { ...kept }
  })
}
