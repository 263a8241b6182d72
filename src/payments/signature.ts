import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signed request asks for. A signature for one of them is none for another. */
export type SignedPurpose = 'order.create' | 'order.paid' | 'order.refunded'

export type SignatureFault = 'missing' | 'malformed' | 'too_old' | 'wrong'

/** How far the clocks may be apart, and how long a request that was listened to could be sent again. */
const SIGNATURE_VALID_SECONDS = 300

/** Shorter ones are none: an empty secret would let any caller sign. */
const SHORTEST_SECRET = 32

/**
 * The signature of a request: `v1=` and the hexadecimal HMAC-SHA-256 over `purpose`, `timestamp` and the body as it is sent,
 * each on lines of its own. `timestamp`: whole seconds since 1970.
 */
export function signatureOf(of: {
  readonly purpose: SignedPurpose
  readonly timestamp: string
  readonly body: string
  readonly secret: string
}): string {
  if (of.secret.length < SHORTEST_SECRET) throw new RangeError('the secret that signs payments is too short')
  const signed = `${of.purpose}\n${of.timestamp}\n${of.body}`
  return `v1=${createHmac('sha256', of.secret).update(signed).digest('hex')}`
}

/** null: the request is signed for this purpose, now, by one who has the secret. */
export function signatureFault(
  { headers, body }: { readonly headers: Headers; readonly body: string },
  { purpose, secret, nowMs }: { readonly purpose: SignedPurpose; readonly secret: string; readonly nowMs: number },
): SignatureFault | null {
  const timestamp = headers.get('x-tollgate-timestamp')
  const signature = headers.get('x-tollgate-signature')
  if (timestamp === null || signature === null) return 'missing'
  if (!/^\d{1,12}$/.test(timestamp) || !/^v1=[0-9a-f]{64}$/.test(signature)) return 'malformed'
  const isRight = isSameText(signature, signatureOf({ purpose, timestamp, body, secret }))
  if (!isRight) return 'wrong'
  return Math.abs(nowMs / 1000 - Number(timestamp)) > SIGNATURE_VALID_SECONDS ? 'too_old' : null
}

/** Takes as long wherever they differ. */
export function isSameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
