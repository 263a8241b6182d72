import type { Credential } from './credential.ts'

/**
 * What the credentials of an upstream may be, wherever they are written (the declarative file, the API). Phrases end
 * sentences by `mustBe`.
 */

/** What an upstream's only credential is called that was given without a name. */
export const ONLY_CREDENTIAL = 'default'

/** A credential that is limited by nothing. `sealedSecret`: encrypted, see core/secret-box. */
export function unlimitedCredential(sealedSecret: string, name: string = ONLY_CREDENTIAL): Credential {
  return {
    name,
    sealedSecret,
    weight: 1,
    realm: null,
    maxConcurrency: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    spendPerDay: null,
    models: null,
    expiresAt: null,
    sealedProxyUrl: null,
  }
}

/** What is wrong with credentials beside each other, and with which field of which; null: nothing. */
export function objectionToPool(
  credentials: readonly Pick<Credential, 'name' | 'weight'>[],
): { readonly index: number; readonly field: 'name' | 'weight'; readonly takes: string } | null {
  const names = new Set<string>()
  for (const [index, { name }] of credentials.entries()) {
    if (names.has(name)) return { index, field: 'name', takes: 'a name that no other credential of this upstream has' }
    names.add(name)
  }
  if (credentials.length === 0 || credentials.some(({ weight }) => weight > 0)) return null
  return { index: 0, field: 'weight', takes: 'must be above 0 for at least one credential' }
}

/**
 * What is wrong with a credential by the time and by the models that have a target at its upstream; null: nothing. `before`:
 * the same credential as it is stored; one that has expired since it was written stays, and is not used.
 */
export function objectionToCredential(
  credential: Pick<Credential, 'models' | 'expiresAt'>,
  known: {
    readonly modelsAtUpstream: ReadonlySet<string>
    readonly nowMs: number
    readonly before?: Credential | undefined
  },
): { readonly field: 'models' | 'expires_at'; readonly index: number | null; readonly takes: string } | null {
  const { models, expiresAt } = credential
  const index = models?.findIndex((model) => !known.modelsAtUpstream.has(model)) ?? -1
  if (index !== -1) {
    const takes = 'the name of a model at the upstream that a target has'
    return { field: 'models', index, takes }
  }
  if (expiresAt === null || expiresAt > known.nowMs || expiresAt === known.before?.expiresAt) return null
  return { field: 'expires_at', index: null, takes: 'a time in the future' }
}
