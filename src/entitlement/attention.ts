import { type Group, groupServes } from '../access/group.ts'
import { formatMultiplier, partsPerMillion } from '../core/money.ts'
import type { Model, Target, Upstream } from '../routing/catalog.ts'
import type { Credential } from '../routing/credential.ts'
import type { CredentialState } from '../routing/credential-states.ts'
import { endpointsOf } from '../routing/serving.ts'
import type { CatalogueLists } from './catalogue.ts'
import { objectionsToTargets, type TargetObjection } from './refused-targets.ts'
import { marginIn, objectionInGroup } from './usable-targets.ts'

/** Something in the catalogue that an admin should look at; requests meet it. */
export interface AttentionItem {
  /**
   * `below_cost`: a sale costs more than it brings. `no_target`: a group has the model, and no target that it may use.
   * `no_margin`: those that are for the group leave less than the margin that they ask for (`min_margin`).
   * `no_credential`: it may use some, and the credentials of their upstreams are disabled or have expired.
   * `unreached`: no request of the group ever comes to the target, as priorities, groups, credentials and endpoints are set.
   * `no_weight`: no target that is asked first has a weight, so that they share the requests as equals.
   */
  readonly kind: 'below_cost' | 'no_target' | 'no_margin' | 'no_credential' | 'unreached' | 'no_weight'
  readonly model: string
  /** null: it is the same in all groups. */
  readonly group: string | null
  /** The upstream's name; null: it is about no single target. */
  readonly upstream: string | null
  /** What is wrong and what to do, for an admin. */
  readonly detail: string
}

/** What is known of credentials beside their settings. */
export interface CredentialsStanding {
  readonly states: readonly Pick<CredentialState, 'upstreamId' | 'name' | 'isDisabled'>[]
  /** Epoch milliseconds. */
  readonly nowMs: number
}

const ITEMS_LIMIT = 200

/** What needs attention, in the order of models and groups, at most 200 items. Without `standing` no credential is looked at. */
export function attentionItems(catalogue: CatalogueLists, standing?: CredentialsStanding): readonly AttentionItem[] {
  const items: AttentionItem[] = []
  for (const model of catalogue.models) {
    for (const group of catalogue.groups) {
      if (model.prices === null || !group.isEnabled || !groupServes(group, model.name)) continue
      items.push(...itemsOf({ model, group }, catalogue, standing))
      if (items.length >= ITEMS_LIMIT) return items.slice(0, ITEMS_LIMIT)
    }
    items.push(...ofAllGroups(model, catalogue))
  }
  return items.slice(0, ITEMS_LIMIT)
}

/** What would be refused if it were written now: it was stored by an earlier version, or has become so since. */
function ofAllGroups(model: Model, catalogue: CatalogueLists): readonly AttentionItem[] {
  const endpoints = endpointsOf(model)
  return objectionsToTargets({ ...model, endpoints }, catalogue).flatMap(({ kind, index }): AttentionItem[] => {
    const target = model.targets[index]
    const upstream = catalogue.upstreams.find(({ id }) => id === target?.upstreamId)?.name
    if (target === undefined || upstream === undefined) return []
    const at = { model: model.name, upstream }
    if (kind === 'weight') return [{ kind: 'no_weight', ...at, group: null, detail: weightless(model.name) }]
    const group = kind === 'groups' ? catalogue.groups.find(({ id }) => target.groupIds?.includes(id))?.name : undefined
    return [{ kind: 'unreached', ...at, group: group ?? null, detail: unreached({ ...at, group }, WHY[kind]) }]
  })
}

const WHY: Readonly<Record<Exclude<TargetObjection['kind'], 'weight'>, string>> = {
  protocol: 'its upstream’s protocol can carry none of the model’s endpoints',
  credentials: 'none of its upstream’s credentials may be sent for that model there (models)',
  groups: 'the group does not have the model',
}

function itemsOf(
  { model, group }: { model: Model; group: Group },
  { upstreams }: CatalogueLists,
  standing: CredentialsStanding | undefined,
): readonly AttentionItem[] {
  const about = { model: model.name, group: group.name }
  const placed = model.targets.flatMap((target) => {
    const upstream = upstreams.find(({ id }) => id === target.upstreamId)
    return upstream === undefined ? [] : [{ target, upstream, objection: objectionInGroup(target, model, group) }]
  })
  const usable = placed.filter(({ objection }) => objection === null)
  if (usable.length === 0) {
    const isOfMargin = placed.some(({ objection }) => objection === 'margin')
    if (isOfMargin) return [{ kind: 'no_margin', ...about, upstream: null, detail: noMargin(about) }]
    return [{ kind: 'no_target', ...about, upstream: null, detail: noTarget(about, model.targets.length > 0) }]
  }
  const lack = standing === undefined ? null : lackOfCredentials(usable, standing)
  const lacking: readonly AttentionItem[] =
    lack === null ? [] : [{ kind: 'no_credential', ...about, upstream: lack.name, detail: noCredential(about, lack) }]
  const others = usable.flatMap((each): AttentionItem[] => {
    const { target } = each
    const at = { ...about, upstream: each.upstream.name }
    const why = whyUnreached(each, usable)
    if (why !== null) return [{ kind: 'unreached', ...at, detail: unreached(at, why) }]
    const margin = model.prices === null ? null : marginIn(target, model.prices, group)
    if (margin === null || margin >= 0n) return []
    return [{ kind: 'below_cost', ...at, detail: belowCost({ ...at, margin }) }]
  })
  return [...lacking, ...others]
}

/** A target of a model with its upstream. */
interface PlacedTarget {
  readonly target: Target
  readonly upstream: Upstream
}

/** Why no request in a group ever reaches the target, of all that the group may use of its model; null: requests may. */
function whyUnreached({ target, upstream }: PlacedTarget, usable: readonly PlacedTarget[]): string | null {
  const before = usable.filter((each) => each.target.priority < target.priority)
  // Both rest together, since what is known of a target is known of its upstream and model.
  const twice = before.some(
    (each) =>
      each.upstream.id === upstream.id &&
      each.target.model === target.model &&
      // Behind a cap of its own the other is no longer used, and this one is.
      (each.target.spendPerDay === undefined || each.target.shadow?.includes('spend_per_day') === true),
  )
  return twice ? 'the same upstream and model stand there with a lower priority number, and rest where it does' : null
}

/**
 * The upstream to look at first where none of these targets can be asked, since every credential that may be sent for them is
 * disabled or has expired; null: one can be. What is held is asked again by itself, and is not looked at.
 */
function lackOfCredentials(targets: readonly PlacedTarget[], standing: CredentialsStanding): Upstream | null {
  let first: Upstream | null = null
  for (const { target, upstream } of targets) {
    if (upstream.credentials.length === 0) return null
    const maySend = ({ models }: Credential) => models === null || models.includes(target.model)
    // Mostly the first of them can, so the hundreds behind it are not looked at for each model and group.
    if (upstream.credentials.some((each) => maySend(each) && isUsable(each, upstream, standing))) return null
    // One that may send none for the model is unreached, whatever they are.
    if (upstream.credentials.some(maySend)) first ??= upstream
  }
  return first
}

function isUsable({ name, expiresAt }: Credential, { id }: Upstream, { states, nowMs }: CredentialsStanding): boolean {
  if (expiresAt !== null && expiresAt <= nowMs) return false
  return !states.some((state) => state.isDisabled && state.upstreamId === id && state.name === name)
}

function noTarget({ model, group }: { model: string; group: string }, hasTargets: boolean): string {
  const why = hasTargets ? 'none of its targets is for the group' : 'it has no target'
  return `The group "${group}" has the model "${model}", and ${why}: add a target, or take the model off the group.`
}

function noMargin({ model, group }: { model: string; group: string }): string {
  return `The group "${group}" has the model "${model}", and no target that is for the group leaves the margin that it asks for (min_margin), so the model cannot be called there: raise its price or the group’s multiplier, or lower min_margin.`
}

function noCredential({ model, group }: { model: string; group: string }, { name }: { name: string }): string {
  return `The group "${group}" has the model "${model}", and the credentials that its targets may be asked with are disabled or have expired: enable one at the upstream "${name}", or replace it.`
}

function unreached(of: { model: string; group?: string | undefined; upstream: string }, why: string): string {
  const where = of.group === undefined ? '' : ` in the group "${of.group}"`
  return `The target of the model "${of.model}" at the upstream "${of.upstream}" is never used${where}: ${why}. Change its priority or its groups, or take it away.`
}

function weightless(model: string): string {
  return `No target of the model "${model}" that is asked first has a weight above 0, which takes none of them out: they share the requests as equals. Give one a weight, or take away those that are not to be asked.`
}

function belowCost(of: { model: string; group: string; upstream: string; margin: bigint }): string {
  const sold = `The model "${of.model}" is sold below cost in the group "${of.group}" at the upstream "${of.upstream}"`
  const loss =
    -of.margin > MOST_SHOWN
      ? 'it is sold for nothing'
      : `${loseOf(of.margin)} of a price is lost on what costs most beside it`
  return `${sold}: ${loss}. Raise the price or the multiplier, or set min_margin.`
}

const MOST_SHOWN = 10n ** 12n

function loseOf(margin: bigint): string {
  return `${formatMultiplier(partsPerMillion(-margin * 100n))} %`
}
