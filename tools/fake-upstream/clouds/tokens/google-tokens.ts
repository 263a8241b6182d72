import { objectionToIdentity, SERVICE_ACCOUNT, SERVICE_ACCOUNT_KEY, verifiedClaims } from './issuer.ts'
import { headerIn, reply, type TokenAsk, type TokenReply } from './token-book.ts'

export const POOL = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/fake/providers/cluster'
export const IMPERSONATED = 'vertex@fake-project.iam.gserviceaccount.com'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const TIMEFRAME =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'

/** https://developers.google.com/identity/protocols/oauth2/service-account */
export function googleToken({ form, book }: TokenAsk): TokenReply {
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    return reply(400, { error: 'unsupported_grant_type' })
  const claims = verifiedClaims(form.get('assertion') ?? '', SERVICE_ACCOUNT_KEY)
  if (claims === null) return invalid('Invalid JWT Signature.')
  if (claims['iss'] !== SERVICE_ACCOUNT.client_email) return invalid('Invalid grant: account not found')
  if (claims['aud'] !== 'https://oauth2.googleapis.com/token') return invalid('Invalid JWT: Failed audience check.')
  if (claims['scope'] !== SCOPE)
    return reply(400, { error: 'invalid_scope', error_description: 'Invalid OAuth scope.' })
  const [from, until, now] = [Number(claims['iat']), Number(claims['exp']), book.now() / 1_000]
  if (until - from > 3_600 || from > now + 300 || until < now || from < now - 300) return invalid(TIMEFRAME)
  return tokenReply(book)
}

function invalid(description: string): TokenReply {
  return reply(400, { error: 'invalid_grant', error_description: description })
}

function tokenReply(book: TokenAsk['book']): TokenReply {
  const { token } = book.bearer('ya29.c.')
  return reply(200, { access_token: token, expires_in: book.lifeSeconds, token_type: 'Bearer' })
}

/** https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token */
export function googleSts({ form, book }: TokenAsk): TokenReply {
  const objection = objectionToIdentity(form.get('subject_token') ?? '', POOL, book.now())
  if (form.get('audience') !== POOL)
    return reply(400, { error: 'invalid_target', error_description: 'The target service is not known.' })
  if (form.get('scope') !== SCOPE) return reply(400, { error: 'invalid_scope', error_description: 'Invalid scope.' })
  if (objection !== null) return invalid(`Error connecting to the given credential's issuer: ${objection}.`)
  return tokenReply(book)
}

/** https://docs.cloud.google.com/compute/docs/metadata/querying-metadata */
export function googleMetadata(ask: TokenAsk): TokenReply {
  if (headerIn(ask, 'metadata-flavor') !== 'Google')
    return { status: 403, body: 'Missing Metadata-Flavor:Google header.' }
  const isToken = ask.path === '/computeMetadata/v1/instance/service-accounts/default/token'
  return isToken ? tokenReply(ask.book) : { status: 404, body: '' }
}

/** https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
export function iamCredentials(ask: TokenAsk): TokenReply {
  const { path, book, json } = ask
  if (!book.isGood(headerIn(ask, 'authorization').replace(/^Bearer /, ''))) {
    return reply(401, {
      error: { code: 401, message: 'Request had invalid authentication credentials.', status: 'UNAUTHENTICATED' },
    })
  }
  if (path !== `/v1/projects/-/serviceAccounts/${IMPERSONATED}:generateAccessToken` || !Array.isArray(json['scope'])) {
    const message = "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist)."
    return reply(403, { error: { code: 403, message, status: 'PERMISSION_DENIED' } })
  }
  const { token, endsAt } = book.bearer('ya29.c.')
  return reply(200, { accessToken: token, expireTime: new Date(endsAt).toISOString() })
}
