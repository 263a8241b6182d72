import { verifySigV4 } from '../verify-sig-v4.ts'
import { objectionToIdentity } from './issuer.ts'
import { headerIn, reply, type TokenAsk, type TokenReply } from './token-book.ts'

/** The role that may be assumed, unless it was ended. */
export const ROLE = 'arn:aws:iam::123456789012:role/models'
export const POD_TOKEN = 'fake-pod-token'
const METADATA_TOKEN = 'fake-imds-token'

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
export function sts(ask: TokenAsk): TokenReply {
  const { form, request, book } = ask
  const action = form.get('Action')
  const role = form.get('RoleArn')
  if (!/^[\w+=,.@-]{2,64}$/.test(form.get('RoleSessionName') ?? ''))
    return refused(400, 'ValidationError', 'RoleSessionName')
  if (action === 'AssumeRoleWithWebIdentity') {
    const objection = objectionToIdentity(form.get('WebIdentityToken') ?? '', 'sts.amazonaws.com', book.now())
    if (objection !== null)
      return refused(400, 'InvalidIdentityToken', `No OpenIDConnect provider takes this: ${objection}`)
  } else if (action === 'AssumeRole') {
    const said = { region: 'us-east-1', service: 'sts', nowMs: book.now(), keysOf: (id: string) => book.keysOf(id) }
    const refusal = verifySigV4(request, said)
    if (refusal !== null) {
      const code = /expired|not yet current/.test(refusal.message) ? 'SignatureDoesNotMatch' : 'InvalidClientTokenId'
      return refused(403, code, refusal.message)
    }
  } else return refused(400, 'InvalidAction', `Could not find operation ${action}`)
  if (role !== ROLE) {
    const by = 'User: arn:aws:iam::123456789012:user/gateway is not authorized to perform: sts:AssumeRole on resource:'
    return refused(403, 'AccessDenied', `${by} ${role}`)
  }
  const keys = book.keys()
  const fields = {
    AccessKeyId: keys.accessKeyId,
    SecretAccessKey: keys.secretAccessKey,
    SessionToken: keys.sessionToken,
    Expiration: new Date(keys.endsAt).toISOString(),
  }
  const inner = Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')
  return xml(
    200,
    `<${action}Response><${action}Result><Credentials>${inner}</Credentials></${action}Result></${action}Response>`,
  )
}

function refused(status: number, code: string, message: string): TokenReply {
  return xml(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  )
}

function xml(status: number, body: string): TokenReply {
  return { status, type: 'text/xml', body }
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html, version 2 alone */
export function instanceMetadata(ask: TokenAsk): TokenReply {
  const { request, path, book } = ask
  if (request.method === 'PUT' && path === '/latest/api/token') {
    const isAsked = headerIn(ask, 'x-aws-ec2-metadata-token-ttl-seconds') !== ''
    return { status: isAsked ? 200 : 400, body: isAsked ? METADATA_TOKEN : '' }
  }
  if (headerIn(ask, 'x-aws-ec2-metadata-token') !== METADATA_TOKEN) return { status: 401, body: '' }
  if (path === '/latest/meta-data/iam/security-credentials/') return { status: 200, body: 'gateway-role' }
  if (path !== '/latest/meta-data/iam/security-credentials/gateway-role') return { status: 404, body: '' }
  return sessionOf(book, { Code: 'Success', Type: 'AWS-HMAC', LastUpdated: new Date(book.now()).toISOString() })
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
export function podIdentity(ask: TokenAsk): TokenReply {
  if (headerIn(ask, 'authorization') !== POD_TOKEN) return reply(401, { code: 'AccessDenied', message: 'wrong token' })
  return sessionOf(ask.book, {})
}

function sessionOf(book: TokenAsk['book'], more: object): TokenReply {
  const { accessKeyId, secretAccessKey, sessionToken, endsAt } = book.keys()
  return reply(200, {
    ...more,
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    Token: sessionToken,
    Expiration: new Date(endsAt).toISOString(),
  })
}
