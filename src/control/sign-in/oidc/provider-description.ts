import { z } from 'zod'
import { askProvider, jsonOf } from './ask-provider.ts'
import { OidcFailure } from './oidc-failure.ts'
import type { OidcSettings, ProviderNetwork } from './oidc-settings.ts'

const address = z.url({ protocol: /^https?$/ }).max(2_048)
const names = z.array(z.string()).max(200).optional()

/** What a provider has to say of itself (OpenID Connect Discovery 1.0, 3). */
const description = z.looseObject({
  // Entra ID has a placeholder in it for the tenant, where people of all tenants may sign in.
  issuer: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s/]/),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: names,
  scopes_supported: names,
  claims_supported: names,
  id_token_signing_alg_values_supported: names,
})

export type ProviderDescription = z.output<typeof description>

/** Where the provider with this issuer describes itself. An issuer may end with a slash. */
export function descriptionUrl(issuer: string): string {
  return `${withoutSlash(issuer)}/.well-known/openid-configuration`
}

/** OpenID Connect Discovery 1.0, 4: the slash at the end of an issuer is left out. */
export function withoutSlash(issuer: string): string {
  return issuer.endsWith('/') ? issuer.slice(0, -1) : issuer
}

/** Throws OidcFailure. */
export async function readDescription(
  { issuer }: Pick<OidcSettings, 'issuer'>,
  network: ProviderNetwork,
): Promise<ProviderDescription> {
  const found = description.safeParse(jsonOf(await askProvider(network, descriptionUrl(issuer), { method: 'GET' })))
  if (found.success) return found.data
  const [issue] = found.error.issues
  throw new OidcFailure(
    'oidc_unavailable',
    `the description of the OIDC provider has no usable ${issue?.path.join('.') || 'form'}`,
  )
}

/** What Entra ID has in its issuer instead of the tenant. */
const TENANT = '{tenantid}'

/** Whether anyone of any organisation can sign in: then no single one answers for what it says of a person. */
export function isOfManyTenants(issuer: string): boolean {
  return issuer.includes(TENANT)
}

/** Whether a token or a key of `issuer` is of the provider that describes itself as `described`. */
export function isIssuer(issuer: string, described: string, tenant: unknown): boolean {
  const isTenant = typeof tenant === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(tenant)
  const expected = isTenant ? described.replace(TENANT, tenant) : described
  // Google's tokens may have its issuer without the scheme.
  return issuer === expected || issuer === expected.replace(/^https?:\/\//, '')
}

const SCOPES = ['openid', 'email', 'profile']

/** What is asked for: all of it, but for what a provider that lists its scopes does not know. */
export function scopesFor({
  scopes_supported: known,
}: Pick<ProviderDescription, 'scopes_supported'>): readonly string[] {
  return known?.includes('openid') === true ? SCOPES.filter((scope) => known.includes(scope)) : SCOPES
}
