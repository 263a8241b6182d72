import type { Group } from '../access/group.ts'
import { formatUsd } from '../core/money.ts'
import type { Model, Upstream } from '../routing/catalog.ts'
import { modelSettings } from './views/model-view.ts'
import { credentialSettings } from './views/upstream-view.ts'

/** A model as the declarative file writes it, which is as the API does, without what is planned; what is not set is left out. */
export function writtenModel(
  model: Model,
  names: { readonly upstreams: readonly Upstream[]; readonly groups: readonly Group[] },
): object {
  const { targets, scheduled: _, ...settings } = modelSettings(model, names)
  return withoutNulls({
    ...withoutEmptyRules(settings),
    targets: targets.map((target) => withoutEmptyRules(withoutEmptyShadow(target))),
  })
}

export interface WritingUpstream {
  /** Writes what is sealed of it. */
  readonly secret: (sealed: string) => string
  /** Whether a person has disabled its credential of that name. */
  readonly isDisabled: (credential: string) => boolean
}

export function writtenUpstream(upstream: Upstream, { secret, isDisabled }: WritingUpstream): object {
  const { credentials, headers, passage } = upstream
  return {
    name: upstream.name,
    protocol: upstream.protocol,
    ...(upstream.baseUrl === '' ? {} : { base_url: upstream.baseUrl }),
    ...(credentials.length === 0
      ? {}
      : {
          credentials: credentials.map((each) => ({
            ...withoutNulls(withoutEmptyShadow(credentialSettings(each))),
            secret: secret(each.sealedSecret),
            ...(each.sealedProxyUrl === null ? {} : { proxy_url: secret(each.sealedProxyUrl) }),
            ...(isDisabled(each.name) ? { disabled: true } : {}),
          })),
        }),
    ...withoutNulls({
      timeout_ms: upstream.timeoutMs,
      connect_timeout_ms: upstream.connectTimeoutMs,
      first_byte_timeout_ms: upstream.firstByteTimeoutMs,
      max_concurrency: upstream.maxConcurrency,
      spend_per_day: upstream.spendPerDay === undefined ? null : formatUsd(upstream.spendPerDay),
      shadow: upstream.shadow,
    }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secret(value)])),
    ...withoutNulls({
      remove_headers: passage?.removedHeaders,
      rename_headers: passage?.renamedHeaders,
      drop_fields: passage?.droppedSettings,
      prefix_cache: passage?.keepsPrefixes,
      proxy_url: passage?.sealedProxyUrl === undefined ? undefined : secret(passage.sealedProxyUrl),
    }),
  }
}

/** Most have no rule in shadow, and versions from before do not know the field. */
function withoutEmptyShadow<Of extends { readonly shadow: readonly string[] }>(settings: Of): Omit<Of, 'shadow'> {
  const { shadow, ...others } = settings
  return shadow.length === 0 ? others : settings
}

/** Most models and targets have no rule, and versions from before do not know the field. */
function withoutEmptyRules(settings: { readonly rules: object }): object {
  const { rules, ...others } = settings
  return Object.keys(rules).length === 0 ? others : settings
}

/** An object without what is null, at any depth: the file takes what is left out for it. */
function withoutNulls(value: object): object {
  const kept = Object.entries(value).filter(([, each]) => each !== null && each !== undefined)
  return Object.fromEntries(kept.map(([name, each]) => [name, cleaned(each)]))
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned)
  return typeof value === 'object' && value !== null ? withoutNulls(value) : value
}
