import { createHash, createHmac } from 'node:crypto'

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly method: string
  /** Path and query as they came over the wire. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** What a service knows of those who may call it. */
export interface SigV4Service {
  readonly region: string
  readonly service: string
  readonly nowMs: number
  /** The secret of an access key, and the token that must come with it; undefined: an access key that AWS does not know. */
  keysOf(accessKeyId: string): { readonly secretAccessKey: string; readonly sessionToken: string | null } | undefined
}

export interface SigV4Refusal {
  readonly type: string
  readonly message: string
}

const CLOCK_SKEW_MS = 5 * 60_000

/**
 * Judges a signature as AWS does, by a computation of its own; null: it is good.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function verifySigV4(request: ArrivedRequest, of: SigV4Service): SigV4Refusal | null {
  const said = AUTHORIZATION.exec(headerOf(request, 'authorization') ?? '')?.groups
  if (said === undefined) return refusal('MissingAuthenticationTokenException', 'Missing Authentication Token')
  const { access = '', date = '', region = '', service = '', signed = '', signature = '' } = said
  const keys = of.keysOf(access)
  const isToken = keys !== undefined && headerOf(request, 'x-amz-security-token') === (keys.sessionToken ?? undefined)
  if (keys === undefined || !isToken) {
    return refusal('UnrecognizedClientException', 'The security token included in the request is invalid.')
  }
  const scope = [of.region, of.service, date]
  if (scope.join() !== [region, service, (headerOf(request, 'x-amz-date') ?? '').slice(0, 8)].join()) {
    return refusal('InvalidSignatureException', `Credential should be scoped to ${of.region} and ${of.service}.`)
  }
  const unsigned = unsignedOf(request, signed.split(';'))
  if (unsigned !== null) return refusal('InvalidSignatureException', `'${unsigned}' must be a signed header.`)
  const off = clockRefusal(request, of.nowMs)
  if (off !== null) return off
  const digest = sha256(request.body)
  const sent = headerOf(request, 'x-amz-content-sha256')
  if (sent !== undefined && sent !== digest) return refusal('InvalidSignatureException', MISMATCH)
  const canonical = canonicalRequest(request, signed.split(';'), digest)
  return signatureOf(canonical, keys.secretAccessKey, said) === signature
    ? null
    : refusal('InvalidSignatureException', MISMATCH)
}

/** The request as it is signed. Each part of a path is encoded once more than it is sent. */
export function canonicalRequest(request: ArrivedRequest, signed: readonly string[], digest: string): string {
  const [path = '', query = ''] = request.target.split('?', 2)
  const parameters = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
  const lines = signed.map((name) => `${name}:${(headerOf(request, name) ?? '').trim().replace(/ +/g, ' ')}\n`)
  const uri = path.split('/').map(encoded).join('/')
  return [request.method, uri, parameters.join('&'), lines.join(''), signed.join(';'), digest].join('\n')
}

/** The signature that AWS computes for a canonical request. */
export function signatureOf(
  canonical: string,
  secret: string,
  { date = '', region = '', service = '', longDate = '' }: Readonly<Record<string, string | undefined>>,
): string {
  const at = longDate === '' ? (/\nx-amz-date:(\d{8}T\d{6}Z)\n/.exec(canonical)?.[1] ?? '') : longDate
  const text = ['AWS4-HMAC-SHA256', at, `${date}/${region}/${service}/aws4_request`, sha256(canonical)].join('\n')
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  )
  return createHmac('sha256', key).update(text).digest('hex')
}

const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.'

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<access>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/(?<service>[^/]+)\/aws4_request, SignedHeaders=(?<signed>[a-z0-9;-]+), Signature=(?<signature>[0-9a-f]{64})$/

/** A header that must be signed and is not; null: there is none. */
function unsignedOf({ headers }: ArrivedRequest, signed: readonly string[]): string | null {
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (headers['content-type'] !== undefined) needed.push('content-type')
  return needed.find((name) => !signed.includes(name)) ?? null
}

function clockRefusal(request: ArrivedRequest, nowMs: number): SigV4Refusal | null {
  const date = headerOf(request, 'x-amz-date') ?? ''
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Math.abs(at - nowMs) <= CLOCK_SKEW_MS) return null
  const now = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  return at < nowMs
    ? refusal('InvalidSignatureException', `Signature expired: ${date} is now earlier than ${now} - 5 min.`)
    : refusal('InvalidSignatureException', `Signature not yet current: ${date} is still later than ${now} + 5 min.`)
}

function headerOf({ headers }: ArrivedRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

function refusal(type: string, message: string): SigV4Refusal {
  return { type, message }
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}

function encoded(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
