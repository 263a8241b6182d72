/** What one way of getting at a credential is set with. */
interface CredentialSource {
  /** Settings beside the secret, in the order in which people are asked; none of them is a secret. */
  readonly settings: Readonly<Record<string, 'required' | 'optional'>>
  /** The form of its secret; null: it has none. `json` and `pem` may have line breaks where they are written. */
  readonly secret: 'line' | 'json' | 'pem' | null
}

interface CredentialKindFacts {
  /** Sources by the name that the setting `source` has, the likeliest first. */
  readonly sources: Readonly<Record<string, CredentialSource>>
}

/** What every source of AWS may have: the role that is assumed with what the source yields. */
const ASSUMED_ROLE = { role_arn: 'optional', external_id: 'optional', session_name: 'optional' } as const

/**
 * The kinds of credentials of upstreams: one row each, and the only list of them. All but `static` are minted: they yield
 * tokens that end, and that are renewed before (`upstreams/credentials/`).
 */
export const CREDENTIAL_KINDS = {
  /** A secret that is sent as it is. */
  static: { sources: { secret: { settings: {}, secret: 'line' } } },
  aws: {
    sources: {
      /** An access key; the secret is its secret access key. */
      keys: { settings: { access_key_id: 'required', ...ASSUMED_ROLE }, secret: 'line' },
      /** A profile of the shared configuration files of the machine. */
      profile: { settings: { profile: 'required', ...ASSUMED_ROLE }, secret: null },
      /** The instance's metadata service. */
      instance: { settings: ASSUMED_ROLE, secret: null },
      /** The container or pod identity, or the web identity token, that the environment names. */
      pod: { settings: ASSUMED_ROLE, secret: null },
    },
  },
  gcp: {
    sources: {
      /** The key file of a service account. */
      service_account: { settings: { impersonate: 'optional' }, secret: 'json' },
      /** The configuration file of workload identity federation. */
      workload_identity: { settings: { impersonate: 'optional' }, secret: 'json' },
      /** The machine's metadata server. */
      metadata: { settings: { impersonate: 'optional' }, secret: null },
    },
  },
  azure: {
    sources: {
      client_secret: { settings: { tenant_id: 'required', client_id: 'required' }, secret: 'line' },
      /** The certificate and its private key, both in PEM. */
      client_certificate: { settings: { tenant_id: 'required', client_id: 'required' }, secret: 'pem' },
      managed_identity: { settings: { client_id: 'optional' }, secret: null },
      /** The federated token that the pod's environment names. */
      workload_identity: { settings: { tenant_id: 'optional', client_id: 'optional' }, secret: null },
    },
  },
  /** Federation: an identity token of this machine is exchanged at the provider. */
  oidc: {
    sources: {
      openai: {
        settings: { identity_provider_id: 'required', service_account_id: 'required', token_file: 'optional' },
        secret: null,
      },
      anthropic: {
        settings: {
          federation_rule_id: 'required',
          organization_id: 'required',
          service_account_id: 'required',
          workspace_id: 'optional',
          token_file: 'optional',
        },
        secret: null,
      },
    },
  },
} as const satisfies Record<string, CredentialKindFacts>

export type CredentialKind = keyof typeof CREDENTIAL_KINDS
/** The kinds that yield tokens that end. */
export type MintedKind = Exclude<CredentialKind, 'static'>

export const CREDENTIAL_KIND_NAMES = Object.keys(CREDENTIAL_KINDS) as readonly CredentialKind[] as readonly [
  CredentialKind,
  ...CredentialKind[],
]

/** The source that a credential of a kind names; undefined: there is none of this name. */
export function credentialSource(kind: CredentialKind, source: string): CredentialSource | undefined {
  const sources: Readonly<Record<string, CredentialSource>> = CREDENTIAL_KINDS[kind].sources
  return Object.hasOwn(sources, source) ? sources[source] : undefined
}

/** What is wrong with the settings of a credential, and with which of them (null: the secret); null: nothing. */
export function objectionToKind({
  kind,
  settings,
  hasSecret,
}: {
  readonly kind: CredentialKind
  readonly settings: Readonly<Record<string, string>>
  readonly hasSecret: boolean
}): { readonly setting: string | null; readonly takes: string } | null {
  const { source: named, ...others } = settings
  const [first = ''] = Object.keys(CREDENTIAL_KINDS[kind].sources)
  const source = credentialSource(kind, named ?? first)
  if (source === undefined) {
    return { setting: 'source', takes: `one of ${Object.keys(CREDENTIAL_KINDS[kind].sources).join(', ')}` }
  }
  for (const name of Object.keys(others)) {
    if (!Object.hasOwn(source.settings, name)) return { setting: name, takes: 'must be left out for this source' }
  }
  for (const [name, need] of Object.entries(source.settings)) {
    if (need === 'required' && (others[name] ?? '') === '')
      return { setting: name, takes: 'must be set for this source' }
  }
  if (source.secret === null && hasSecret) return { setting: null, takes: 'must be left out for this source' }
  if (source.secret !== null && !hasSecret) return { setting: null, takes: 'must be set for this source' }
  return null
}
