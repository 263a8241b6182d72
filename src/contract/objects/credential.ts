import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../../core/bounds.ts'
import { CREDENTIAL_KIND_NAMES, type CredentialKind, type MintedKind } from '../../core/credential-kind.ts'
import { CREDENTIAL_SHADOWS } from '../../core/shadow-rules.ts'
import { givenName, textOf } from '../wire-values.ts'
import { type FieldType, lineType, listType, MOMENT, nameType, plainType, usdType, wholeType } from './field-types.ts'
import { field, optional } from './object-fields.ts'
import { PROXY_URL, shadowField } from './upstream.ts'

/** Held as null where the secret is sent as it is. */
const KIND: FieldType<CredentialKind, MintedKind | null> = {
  shown: z.enum(CREDENTIAL_KIND_NAMES),
  sent: z.enum(CREDENTIAL_KIND_NAMES),
  read: (kind) => (kind === 'static' ? null : kind),
  write: (kind) => kind ?? 'static',
}

const SETTINGS: FieldType<Record<string, string>, Readonly<Record<string, string>>> = {
  ...plainType(z.record(z.string(), textOf(BOUNDS.credential.setting))),
  write: (held) => ({ ...held }),
}

/** The fields of a credential of an upstream. */
export const CREDENTIAL = {
  name: field('name', nameType(BOUNDS.credential.name), { shown: givenName(BOUNDS.credential.name) }),
  /** How what is sent is got at. `static`: the secret is sent as it is. */
  kind: field('kind', KIND, { default: 'static' as const, isSparse: true, isNewInFile: true }),
  /** What its kind is set with, beside the secret. */
  settings: field('settings', SETTINGS, { default: {}, isSparse: true, isNewInFile: true }),
  secret: field('sealedSecret', lineType(BOUNDS.credential.secret), { isSecret: true }),
  /** The share of the upstream’s requests that it gets; 0: only where no other may be asked. */
  weight: field('weight', wholeType(BOUNDS.credential.weight), { default: 1 }),
  /** The organisation or project at the provider; null: one for all credentials of the upstream. */
  realm: optional('realm', lineType(BOUNDS.credential.realm)),
  max_concurrency: optional('maxConcurrency', wholeType(BOUNDS.credential.max_concurrency)),
  requests_per_minute: optional('requestsPerMinute', wholeType(BOUNDS.credential.requests_per_minute)),
  tokens_per_minute: optional('tokensPerMinute', wholeType(BOUNDS.credential.tokens_per_minute)),
  /** What its requests may cost in one day of UTC. */
  spend_per_day: optional('spendPerDay', usdType(BOUNDS.credential.spend_per_day)),
  /** Names of models at the upstream; null: all. */
  models: optional('models', listType(lineType(BOUNDS.credential.model), 'model names', BOUNDS.credential.models)),
  expires_at: optional('expiresAt', MOMENT),
  shadow: shadowField(CREDENTIAL_SHADOWS),
  /** Instead of the upstream's. */
  proxy_url: field('sealedProxyUrl', PROXY_URL, { default: null, isSecret: true }),
}
