import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto'

type Claims = Readonly<Record<string, unknown>>

/** Signs and verifies JSON Web Tokens (RFC 7519), by a computation of its own. */
function signJwt(claims: Claims, key: KeyObject): string {
  const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = sign('sha256', Buffer.from(parts.join('.')), key)
  return [...parts, signature.toString('base64url')].join('.')
}

/** The claims of a token that this key has signed; null: it has not. `PS256` is what Microsoft’s library signs with. */
export function verifiedClaims(token: string, key: KeyObject): Claims | null {
  const [head = '', body = '', signature = ''] = token.split('.')
  try {
    const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string }
    const how = alg === 'PS256' ? { key, padding: 6, saltLength: 32 } : key
    const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), how, Buffer.from(signature, 'base64url'))
    return isSigned ? (JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims) : null
  } catch {
    return null
  }
}

/** The public key of a private one, or of a certificate, in PEM. */
export function publicKeyOf(pem: string): KeyObject {
  return createPublicKey(pem)
}

const PAIR = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** The key file of Google’s service account that the fake knows. */
export const SERVICE_ACCOUNT = {
  type: 'service_account',
  client_email: 'models@fake-project.iam.gserviceaccount.com',
  private_key_id: 'fake-key',
  private_key: PAIR.privateKey.export({ type: 'pkcs8', format: 'pem' }),
}
export const SERVICE_ACCOUNT_KEY = PAIR.publicKey

/** An identity provider as a cluster has one: its tokens are exchanged for those of the clouds. */
const ISSUER = generateKeyPairSync('rsa', { modulusLength: 2_048 })

export function identityToken(audience: string, nowMs: number, lifeSeconds = 3_600): string {
  const seconds = Math.floor(nowMs / 1_000)
  const claims = { iss: 'https://issuer.test', sub: 'system:serviceaccount:models:gateway', aud: audience }
  return signJwt(
    { ...claims, iat: seconds, exp: seconds + lifeSeconds, jti: randomBytes(6).toString('hex') },
    ISSUER.privateKey,
  )
}

/** What is wrong with an identity token; null: nothing. */
export function objectionToIdentity(token: string, audience: string | null, nowMs: number): string | null {
  const claims = verifiedClaims(token, ISSUER.publicKey)
  if (claims === null) return 'the signature of the token cannot be verified'
  if (audience !== null && claims['aud'] !== audience) return 'the audience of the token does not match'
  return Number(claims['exp']) * 1_000 < nowMs ? 'the token is expired' : null
}
