import { z } from 'zod'
import { askProvider, jsonOf } from './ask-provider.ts'
import { OidcFailure } from './oidc-failure.ts'
import type { ProviderNetwork } from './oidc-settings.ts'

/** Who came from the OIDC provider. */
export interface Person {
  /** The provider's name for the person, for good. */
  readonly subject: string
  /** The address that the provider names; null: it names none that could be one. */
  readonly email: string | null
  /** Whether the provider says that it is the person's own, or the admin vouches for what it says. */
  readonly isEmailProven: boolean
  readonly name: string
}

const claims = z.looseObject({ sub: z.string().min(1).max(255), email: z.unknown().optional() })
type Claims = z.output<typeof claims>

/** What of a person is asked where the ID token does not say all: its claims are enough where it says both. */
export interface PersonQuestion {
  /** null: the provider has no such endpoint. */
  readonly userInfoUrl: string | null
  readonly accessToken: string | null
  /** The admin vouches for all addresses of the provider. */
  readonly trustsEmail: boolean
  readonly network: ProviderNetwork
  onRefusal(what: string): void
}

/** The person of an ID token, whose claims were checked. Throws OidcFailure. */
export async function personOf(inToken: Claims, question: PersonQuestion): Promise<Person> {
  const asked = isWhole(inToken) ? null : await askedPerson(inToken, question)
  const named = emailOf(inToken['email']) === null && asked !== null ? asked : inToken
  const email = emailOf(named['email'])
  // What one source says of an address counts for the same address in the other.
  const alike = [inToken, asked].filter((each) => each !== null && emailOf(each['email']) === email)
  return {
    subject: inToken.sub,
    email,
    isEmailProven: email !== null && (question.trustsEmail || alike.some((each) => each !== null && isVerified(each))),
    name: nameOf(inToken['name'] ?? asked?.['name']),
  }
}

function isWhole(inToken: Claims): boolean {
  return emailOf(inToken['email']) !== null && inToken['email_verified'] !== undefined
}

/** null: it cannot be asked, or did not answer though the ID token has an address. Throws OidcFailure. */
async function askedPerson(inToken: Claims, question: PersonQuestion): Promise<Claims | null> {
  const { userInfoUrl, accessToken, network } = question
  if (userInfoUrl === null || accessToken === null) return null
  try {
    const headers = { authorization: `Bearer ${accessToken}` }
    const asked = claims.safeParse(jsonOf(await askProvider(network, userInfoUrl, { method: 'GET', headers })))
    if (!asked.success)
      throw new OidcFailure('oidc_failed', 'the OIDC provider answers about a person without naming one (sub)')
    // OpenID Connect Core 1.0, 5.3.2: an answer about another person must not be used.
    if (asked.data.sub === inToken.sub) return asked.data
    throw new OidcFailure('oidc_failed', 'the OIDC provider answers about another person than its ID token')
  } catch (error) {
    if (!(error instanceof OidcFailure) || emailOf(inToken['email']) === null) throw error
    question.onRefusal(error.message)
    return null
  }
}

const ADDRESS = /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u
const LONGEST_ADDRESS = 254

function emailOf(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > LONGEST_ADDRESS) return null
  const address = given.trim()
  return ADDRESS.test(address) ? address : null
}

/** Some send a text. Entra ID has a claim of its own for an address whose domain the organisation has shown to own. */
function isVerified(said: Claims): boolean {
  return [said['email_verified'], said['xms_edov']].some((claim) => claim === true || claim === 'true')
}

const NAME_LENGTH = 100

function nameOf(given: unknown): string {
  return typeof given === 'string'
    ? given
        .replace(/[\p{Cc}\p{Cf}]/gu, '')
        .trim()
        .slice(0, NAME_LENGTH)
    : ''
}
