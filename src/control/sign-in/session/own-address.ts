import { Problem } from '../../problem.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import { isSecureOrigin } from '../authenticator/inner-names.ts'

/** The origin is the one that an admin set. */
type AddressedRequest = Pick<SignInRequest, 'headers' | 'origin'>

/**
 * Throws Problem where a session could not be kept: this server belongs to https, and the browser reached it over http by an
 * inner address. Browsers drop the cookie of the session there without a word (RFC 6265bis, 4.1.2.5).
 */
export function requireSecureAddress({ headers, origin }: AddressedRequest): void {
  if (!isSecureOrigin(origin) || !isPlain({ headers, origin })) return
  throw addressNeeded(origin)
}

/** Throws Problem where a way back to `origin` would miss the cookie that this answer sets, at another host. */
export function requireSameHost({ headers, origin }: AddressedRequest): void {
  const page = pageOrigin(headers)
  if (page !== null && page.host !== new URL(origin).host) throw addressNeeded(origin)
}

function addressNeeded(origin: string): Problem {
  return new Problem(
    'sign_in_address',
    `Sign-in works at ${origin} alone, and this page was opened at another address: open ${origin}/console/sign-in.`,
    { address: origin },
  )
}

/** Browsers name the origin of the page with every write. A program that names none is taken by the host that it asked. */
function isPlain({ headers, origin }: AddressedRequest): boolean {
  const page = pageOrigin(headers)
  if (page !== null) return page.protocol === 'http:'
  const forwarded = (headers.get('x-forwarded-proto') ?? '').toLowerCase()
  return headers.get('host') !== new URL(origin).host && !forwarded.includes('https')
}

function pageOrigin(headers: Headers): URL | null {
  return URL.parse(headers.get('origin') ?? '')
}
