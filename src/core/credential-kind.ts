import { objectionToSecret, type SecretForm } from './credential-secret.ts'

/** What one way of getting at a credential is set with. */
interface CredentialSource {
  /** Settings beside the secret, in the order in which people are asked; none of them is a secret. */
  readonly settings: Readonly<Record<string, 'required' | 'optional'>>
  /** The form of its secret; null: it has none. `json` and `pem` may have line breaks where they are written. */
  readonly secret: SecretForm | null
}

interface CredentialKindFacts {
  /** Sources by the name that the setting `source` has, the likeliest first. */
  readonly sources: Readonly<Record<string, CredentialSource>>
}

/** What every source of AWS may have: the role that is assumed with what the source yields. */
const ASSUMED_ROLE = { role_arn: 'optional', external_id: 'optional', session_name: 'optional' } as const

/** What tokens of Azure may be asked for; left out: the scope of the service that the base URL names. */
const SCOPE = { scope: 'optional' } as const

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
      client_secret: { settings: { tenant_id: 'required', client_id: 'required', ...SCOPE }, secret: 'line' },
      /** The certificate and its private key, both in PEM. */
      client_certificate: { settings: { tenant_id: 'required', client_id: 'required', ...SCOPE }, secret: 'pem' },
      managed_identity: { settings: { client_id: 'optional', ...SCOPE }, secret: null },
      /** The federated token that the pod's environment names. */
      workload_identity: { settings: { tenant_id: 'optional', client_id: 'optional', ...SCOPE }, secret: null },
    },
  },
  /** Federation: an identity token of this machine, in a file that its environment names, is exchanged at the provider. */
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

/**
 * Whether the source yields a token of the machine that the gateway runs on, and not of a secret that an admin entered: such a
 * token is sent to the cloud's own hosts alone, and to those that the environment of the gateway names.
 */
export function isOfMachine(kind: CredentialKind, source: string): boolean {
  return credentialSource(kind, source)?.secret === null || `${kind} ${source}` === 'gcp workload_identity'
}

/** The source that settings name; the first of the kind where they name none. */
export function sourceOf(kind: CredentialKind, settings: Readonly<Record<string, string>>): string {
  return settings['source'] ?? Object.keys(CREDENTIAL_KINDS[kind].sources)[0] ?? ''
}

interface SettingForm {
  readonly form: RegExp
  readonly takes: string
}

const ID: SettingForm = { form: /^[\w.:-]{1,200}$/, takes: 'must be an id of letters, digits, "-", "_", "." and ":"' }

/** The forms of settings: most of them become a part of a URL that is asked with a secret. */
const SETTING_FORMS: Readonly<Record<string, SettingForm>> = {
  access_key_id: { form: /^\w{16,128}$/, takes: 'must be an access key id, such as AKIAIOSFODNN7EXAMPLE' },
  role_arn: {
    form: /^arn:aws[\w-]{0,20}:iam::\d{12}:role\/[\w+=,.@/-]{1,500}$/,
    takes: 'must be the ARN of a role, such as arn:aws:iam::123456789012:role/models',
  },
  // https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
  external_id: { form: /^[\w+=,.@:/-]{2,500}$/, takes: 'must have 2 characters or more, and no spaces' },
  session_name: { form: /^[\w+=,.@-]{2,64}$/, takes: 'must have 2 to 64 characters, and no spaces' },
  profile: { form: /^[^\p{Cc}[\]]{1,500}$/u, takes: 'must be the name of a profile' },
  impersonate: { form: /^[\w.+-]{1,100}@[\w.-]{1,150}$/, takes: 'must be the email of a service account' },
  tenant_id: { form: /^[\w.-]{1,200}$/, takes: 'must be the id or the domain of a tenant' },
  client_id: ID,
  scope: { form: /^[\w.:/-]{1,300}\/\.default$/, takes: 'must be a scope that ends in /.default' },
  identity_provider_id: ID,
  service_account_id: ID,
  federation_rule_id: ID,
  organization_id: ID,
  workspace_id: ID,
  token_file: { form: /^\/[^\p{Cc}]{1,480}$/u, takes: 'must be the whole path of a file' },
}

/** What is wrong with the settings of a credential, and with which of them (null: the secret); null: nothing. */
export function objectionToKind({
  kind,
  settings,
  hasSecret,
  secret = null,
}: {
  readonly kind: CredentialKind
  readonly settings: Readonly<Record<string, string>>
  readonly hasSecret: boolean
  /** The secret as it is written, where it can be read. */
  readonly secret?: string | null
}): { readonly setting: string | null; readonly takes: string } | null {
  const { source: _, ...others } = settings
  const source = credentialSource(kind, sourceOf(kind, settings))
  if (source === undefined) {
    return { setting: 'source', takes: `one of ${Object.keys(CREDENTIAL_KINDS[kind].sources).join(', ')}` }
  }
  for (const name of Object.keys(others)) {
    if (!Object.hasOwn(source.settings, name)) return { setting: name, takes: 'must be left out for this source' }
  }
  for (const [name, need] of Object.entries(source.settings)) {
    const value = others[name] ?? ''
    if (need === 'required' && value === '') return { setting: name, takes: 'must be set for this source' }
    const form = SETTING_FORMS[name]
    if (value !== '' && form?.form.test(value) === false) return { setting: name, takes: form.takes }
  }
  if (source.secret === null && hasSecret) return { setting: null, takes: 'must be left out for this source' }
  if (source.secret !== null && !hasSecret) return { setting: null, takes: 'must be set for this source' }
  const takes = source.secret === null || secret === null ? null : objectionToSecret(source.secret, kind, secret)
  return takes === null ? null : { setting: null, takes }
}
