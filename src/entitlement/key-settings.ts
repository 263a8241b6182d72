import type { z } from '@hono/zod-openapi'
import type { keyPatch, RateLimitView } from '../../contract/keys.ts'
import { readAddressRange } from '../../access/address-range.ts'
import type { ApiKey, RateLimit } from '../../access/api-key.ts'
import { type Group, groupServes } from '../../access/group.ts'
import { parseUsd } from '../../core/money.ts'
import { type Catalogue, mayUse, type Viewer } from './catalogue.ts'
import { fieldProblem } from '../api/problem.ts'

/** The settings of a key that the wire knows, in the form in which they are stored. */
export type KeySettings = Pick<
  ApiKey,
  | 'name'
  | 'groupId'
  | 'fallbackGroupIds'
  | 'quotaLimit'
  | 'quotaReset'
  | 'rateLimit'
  | 'expiresAt'
  | 'allowedModels'
  | 'allowedIps'
>

type Wanted = Omit<z.output<typeof keyPatch>, 'status'>

/**
 * Reads the wanted settings of a key, over what it is now (null: it is being created, and everything is wanted). What stays
 * as it is is not judged again. `owner` is whose key it is: groups and models are theirs to use or not. Throws Problem.
 */
export function readKeySettings(
  wanted: Wanted,
  before: KeySettings | null,
  context: { owner: Viewer; catalogue: Catalogue; nowMs: number },
): Partial<KeySettings> {
  const { owner, catalogue, nowMs } = context
  const groups = new GroupNames(catalogue.groups, owner)
  const groupId = wanted.group === undefined ? undefined : groups.idOf(wanted.group, 'group', before?.groupId)
  const fallbackGroupIds = wanted.fallback_groups?.map((name, i) => {
    const field = `fallback_groups.${i}`
    const id = groups.idOf(name, field, ...(before?.fallbackGroupIds ?? []))
    return id
  })
  const all = [groupId ?? before?.groupId ?? '', ...(fallbackGroupIds ?? before?.fallbackGroupIds ?? [])]
  if (groupId !== undefined || fallbackGroupIds !== undefined) requireDistinct(all)
  if (wanted.allowed_models !== undefined) {
    requireKnownModels(wanted.allowed_models, before?.allowedModels ?? [], { ...context, groupIds: all })
  }
  return withoutUndefined({
    name: wanted.name,
    groupId,
    fallbackGroupIds,
    quotaLimit: wanted.quota_limit == null ? wanted.quota_limit : parseUsd(wanted.quota_limit),
    quotaReset: wanted.quota_reset,
    rateLimit: wanted.rate_limit == null ? wanted.rate_limit : readRateLimit(wanted.rate_limit),
    expiresAt: wanted.expires_at == null ? wanted.expires_at : readExpiry(wanted.expires_at, before, nowMs),
    allowedModels: wanted.allowed_models === undefined ? undefined : [...new Set(wanted.allowed_models)],
    allowedIps: wanted.allowed_ips === undefined ? undefined : readAddresses(wanted.allowed_ips),
  })
}

class GroupNames {
  readonly #groups: readonly Group[]
  readonly #owner: Viewer

  constructor(groups: readonly Group[], owner: Viewer) {
    this.#groups = groups
    this.#owner = owner
  }

  /** `kept`: groups that the key is in already, which it may stay in whatever became of them. */
  idOf(name: string, field: string, ...kept: readonly (string | undefined)[]): string {
    const group = this.#groups.find((each) => each.name === name)
    if (group !== undefined && (kept.includes(group.id) || mayUse(group, this.#owner))) return group.id
    // A group that the account may not even see must look the same as one that does not exist.
    const usable = this.#groups.filter((each) => mayUse(each, this.#owner)).map((each) => `"${each.name}"`)
    const choice = usable.length === 0 ? 'there is none at present' : `there are ${usable.slice(0, SHOWN).join(', ')}`
    throw fieldProblem(field, `${field} takes the name of a group that is enabled and open to this account: ${choice}.`)
  }
}

const SHOWN = 20

function requireDistinct(groupIds: readonly string[]): void {
  const repeated = groupIds.findIndex((id, i) => groupIds.indexOf(id) !== i)
  if (repeated === -1) return
  const field = `fallback_groups.${repeated - 1}`
  throw fieldProblem(field, `${field} takes a group that is neither the key's own nor named before.`)
}

function requireKnownModels(
  names: readonly string[],
  before: readonly string[],
  { owner, catalogue, groupIds }: { owner: Viewer; catalogue: Catalogue; groupIds: readonly string[] },
): void {
  const groups = catalogue.groups.filter((group) => groupIds.includes(group.id) || mayUse(group, owner))
  const isKnown = (name: string) =>
    before.includes(name) ||
    (catalogue.models.some((model) => model.name === name) && groups.some((group) => groupServes(group, name)))
  const wrong = names.findIndex((name) => !isKnown(name))
  if (wrong === -1) return
  const field = `allowed_models.${wrong}`
  throw fieldProblem(field, `${field} takes the name of a model that this account can use; see GET /api/models.`)
}

/** A time that stands there already may lie in the past: who changes the name must not have to change the end. */
function readExpiry(text: string, before: KeySettings | null, nowMs: number): number {
  const ms = Date.parse(text)
  if (ms > nowMs || ms === before?.expiresAt) return ms
  throw fieldProblem('expires_at', 'expires_at takes a time to come, or null for no end.')
}

function readAddresses(texts: readonly string[]): readonly string[] {
  const ranges = texts.map((text, i) => {
    const range = readAddressRange(text)
    if (range !== null) return range
    const field = `allowed_ips.${i}`
    throw fieldProblem(field, `${field} takes an IP address or CIDR range such as 203.0.113.7 or 10.0.0.0/8.`)
  })
  return [...new Set(ranges)]
}

/** null where it limits nothing. */
function readRateLimit(wire: RateLimitView): RateLimit | null {
  const repeated = wire.spend.findIndex(({ window }, i) => wire.spend.findIndex((each) => each.window === window) !== i)
  if (repeated !== -1) {
    const field = `rate_limit.spend.${repeated}.window`
    throw fieldProblem(field, `${field} takes each window once.`)
  }
  const { concurrency, requests_per_minute: requestsPerMinute, tokens_per_minute: tokensPerMinute } = wire
  const spend = wire.spend.map(({ window, usd }) => ({ window, usd: parseUsd(usd) }))
  const isEmpty = spend.length === 0 && [concurrency, requestsPerMinute, tokensPerMinute].every((each) => each === null)
  return isEmpty ? null : { concurrency, requestsPerMinute, tokensPerMinute, spend }
}

function withoutUndefined(fields: {
  readonly [K in keyof KeySettings]: KeySettings[K] | undefined
}): Partial<KeySettings> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
