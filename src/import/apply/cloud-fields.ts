import { CREDENTIAL_KIND_NAMES } from '../../core/credential-kind.ts'
import { UPSTREAM_DIALECT_NAMES } from '../../core/upstream-dialect.ts'
import type { RequestOverrides, Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import type { PlannedCredential, PlannedUpstream } from '../import-plan.ts'
import { entriesOf, jsonOf } from '../source.ts'

const CLOUD = 'cloud:'
const KIND = 'kind:'
/** Prefixes of fields that few upstreams have; each by itself, so that an import before this one is not different by them. */
export const CLOUD_FIELDS = [CLOUD, KIND] as const

type WrittenCloudFields = Readonly<Record<string, unknown>>
type CloudSettings = Pick<PlannedUpstream, 'dialect' | 'region' | 'apiVersion'>
const SETTINGS = ['dialect', 'region', 'apiVersion'] as const satisfies readonly (keyof CloudSettings)[]

/** What a plan says of the cloud that an upstream is bought from, and of kinds of credentials. Nothing is in it where it says nothing. */
export function cloudFieldsOf({ credentials, ...upstream }: CloudSettings & Pick<PlannedUpstream, 'credentials'>) {
  return {
    ...settingsIn(upstream),
    ...Object.fromEntries(credentials.flatMap((each) => (each.kind === undefined ? [] : [kindOf(each)]))),
  }
}

/** The fields of an upstream as they are here, one that is not set as null. */
export function cloudFieldsHere({ passage = {}, credentials }: Pick<Upstream, 'passage' | 'credentials'>) {
  return {
    ...Object.fromEntries(SETTINGS.map((name) => [CLOUD + name, passage[name] ?? null])),
    ...Object.fromEntries(credentials.map(kindOf)),
  }
}

function settingsIn(upstream: CloudSettings): Readonly<Record<string, string>> {
  return Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const value = upstream[name]
      return value === undefined ? [] : [[CLOUD + name, value] as const]
    }),
  )
}

/** A kind and its settings are compared as one text, which does not depend on their order. */
function kindOf({ name, kind, settings = {} }: Pick<PlannedCredential | Credential, 'name' | 'kind' | 'settings'>) {
  const sorted = Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)))
  return [KIND + name, kind === undefined ? null : JSON.stringify({ kind, settings: sorted })] as const
}

/** The upstream with what is written of its cloud. */
export function withCloudFields(upstream: Upstream, write: WrittenCloudFields): Upstream {
  const { passage, ...others } = upstream
  if (!SETTINGS.some((name) => CLOUD + name in write)) return upstream
  const { dialect: dialectHere, region: regionHere, apiVersion: versionHere, ...rest } = passage ?? {}
  const textOf = (name: keyof CloudSettings, here: string | undefined): string | undefined => {
    if (!(CLOUD + name in write)) return here
    const value = write[CLOUD + name]
    return typeof value === 'string' ? value : undefined
  }
  const dialect = UPSTREAM_DIALECT_NAMES.find((name) => name === textOf('dialect', dialectHere))
  const region = textOf('region', regionHere)
  const apiVersion = textOf('apiVersion', versionHere)
  const next: RequestOverrides = {
    ...rest,
    ...(dialect === undefined ? {} : { dialect }),
    ...(region === undefined ? {} : { region }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
  }
  return Object.keys(next).length === 0 ? others : { ...others, passage: next }
}

/** The credential with what is written of its kind. */
export function withKind(credential: Credential, write: WrittenCloudFields): Credential {
  const written = write[KIND + credential.name]
  if (written === undefined) return credential
  const { kind: _kind, settings: _settings, ...plain } = credential
  const fields = new Map(entriesOf(typeof written === 'string' ? jsonOf(written) : null))
  const kind = CREDENTIAL_KIND_NAMES.find((name) => name === fields.get('kind'))
  if (kind === undefined || kind === 'static') return plain
  const settings = Object.fromEntries(
    entriesOf(fields.get('settings')).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  return Object.keys(settings).length === 0 ? { ...plain, kind } : { ...plain, kind, settings }
}
