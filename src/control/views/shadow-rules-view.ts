import type { UpstreamView } from '../../contract/upstreams.ts'
import type { ShadowRule } from '../../core/shadow-rules.ts'
import type { Model, Upstream } from '../../routing/catalog.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import type { ShadowCount } from '../parts.ts'

type RuleView = UpstreamView['shadow_rules'][number]
type RuleHolder = Pick<RuleView, 'credential' | 'model' | 'upstream_model'>

const OF_UPSTREAM: RuleHolder = { credential: null, model: null, upstream_model: null }

/** Whether any rule is in shadow. */
export function hasShadow({ upstreams, models }: Pick<ListedCatalogue, 'upstreams' | 'models'>): boolean {
  return (
    upstreams.some(
      ({ shadow, credentials }) => shadow !== undefined || credentials.some((each) => each.shadow !== undefined),
    ) || models.some(({ targets }) => targets.some(({ shadow }) => shadow !== undefined))
  )
}

/** Each rule in shadow at an upstream, with how often it would have refused. */
export function shadowRules(
  { id, name, shadow = [], credentials }: Upstream,
  models: readonly Model[],
  counts: readonly ShadowCount[],
): RuleView[] {
  const own = counts.filter(({ upstream }) => upstream === name)
  const rows = (rules: readonly ShadowRule[], place: RuleHolder) => rules.map((rule) => ruleView(rule, place, own))
  const ofTargets = new Map<string, RuleView>()
  for (const model of models) {
    for (const target of model.targets) {
      if (target.upstreamId !== id) continue
      const place = { credential: null, model: model.name, upstream_model: target.model }
      // Two that differ in groups alone are counted as one.
      for (const row of rows(target.shadow ?? [], place)) ofTargets.set(keyOf(row), row)
    }
  }
  return [
    ...rows(shadow, OF_UPSTREAM),
    ...credentials.flatMap((each) => rows(each.shadow ?? [], { ...OF_UPSTREAM, credential: each.name })),
    ...ofTargets.values(),
  ]
}

function ruleView(rule: ShadowRule, place: RuleHolder, counts: readonly ShadowCount[]): RuleView {
  const count = counts.find(
    (each) =>
      each.rule === rule &&
      each.credential === (place.credential ?? '') &&
      each.model === (place.model ?? '') &&
      each.upstreamModel === (place.upstream_model ?? ''),
  )
  const at = count?.lastAt ?? null
  return {
    rule,
    ...place,
    refusals: count?.refusals ?? 0,
    last_refusal_at: at === null ? null : new Date(at).toISOString(),
  }
}

function keyOf({ rule, model, upstream_model: at }: RuleView): string {
  return `${rule}\n${model}\n${at}`
}
