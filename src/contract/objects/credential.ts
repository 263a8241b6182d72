import { BOUNDS } from '../../core/bounds.ts'
import { CREDENTIAL_SHADOWS } from '../../core/shadow-rules.ts'
import { givenName } from '../wire-values.ts'
import { lineType, listType, MOMENT, nameType, usdType, wholeType } from './field-types.ts'
import { field, optional } from './object-fields.ts'
import { PROXY_URL, shadowField } from './upstream.ts'

/** The fields of a credential of an upstream. */
export const CREDENTIAL = {
  name: field('name', nameType(BOUNDS.credential.name), { shown: givenName(BOUNDS.credential.name) }),
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
