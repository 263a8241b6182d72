import { formatUsd, parseUsd } from '../../core/money.ts'
import type { Credential } from '../../routing/credential.ts'

/** The credentials of an upstream as they are stored: JSON, the amount of money as a decimal text, nothing that is not set. */
interface StoredCredential extends Partial<Omit<Credential, 'spendPerDay'>> {
  readonly name: string
  readonly sealedSecret: string
  readonly weight: number
  readonly spendPerDay?: string
}

export function credentialsOf(json: unknown): readonly Credential[] {
  return (json as readonly StoredCredential[]).map((stored) => ({
    name: stored.name,
    sealedSecret: stored.sealedSecret,
    weight: stored.weight,
    realm: stored.realm ?? null,
    maxConcurrency: stored.maxConcurrency ?? null,
    requestsPerMinute: stored.requestsPerMinute ?? null,
    tokensPerMinute: stored.tokensPerMinute ?? null,
    spendPerDay: stored.spendPerDay === undefined ? null : parseUsd(stored.spendPerDay),
    models: stored.models ?? null,
    expiresAt: stored.expiresAt ?? null,
    sealedProxyUrl: stored.sealedProxyUrl ?? null,
    ...(stored.shadow === undefined ? {} : { shadow: stored.shadow }),
    ...(stored.kind === undefined ? {} : { kind: stored.kind }),
    ...(stored.settings === undefined ? {} : { settings: stored.settings }),
  }))
}

export function credentialsJson(credentials: readonly Credential[]): string {
  return JSON.stringify(
    credentials.map(({ spendPerDay, ...credential }) => ({
      ...withoutNull(credential),
      ...(spendPerDay === null ? {} : { spendPerDay: formatUsd(spendPerDay) }),
    })),
  )
}

function withoutNull(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
