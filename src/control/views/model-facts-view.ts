import type { ModelFactsView } from '../../contract/model-facts.ts'
import { upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import { FACT_NAMES, type FactName, factOf, type FactValue } from '../../models/facts.ts'
import { factsOf, rowOf, shippedFacts, sourceOf } from '../../models/table.ts'
import { askedModelOf } from '../../routing/asked-model.ts'
import type { Model, Target, Upstream } from '../../routing/catalog.ts'
import { versionOf } from '../api/version.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import { modelSettings } from './model-view.ts'

/** What a model takes at each of its targets, with what the table of models says and what an admin says in its place. */
export function modelFactsView(model: Model, catalogue: Pick<ListedCatalogue, 'upstreams' | 'groups'>): ModelFactsView {
  const byId = new Map(catalogue.upstreams.map((upstream) => [upstream.id, upstream]))
  return {
    name: model.name,
    version: versionOf(modelSettings(model, catalogue)),
    facts: FACT_NAMES.map(columnView),
    targets: model.targets.flatMap((target) => {
      const upstream = byId.get(target.upstreamId)
      return upstream === undefined ? [] : [targetView(target, upstream, model)]
    }),
  }
}

type FactsView = ModelFactsView['facts'][number]
type TargetView = ModelFactsView['targets'][number]

function columnView(name: FactName): FactsView {
  const { means, ...fact } = factOf(name)
  switch (fact.kind) {
    case 'flag':
      return { name, means, kind: fact.kind }
    case 'number':
      return { name, means, kind: fact.kind, least: fact.least, most: fact.most }
    case 'word':
    case 'words':
      return { name, means, kind: fact.kind, words: [...fact.words] }
  }
}

function targetView(target: Target, { name, protocol }: Upstream, model: Model): TargetView {
  const [wire] = upstreamProtocolFacts(protocol).translatedTo
  const asked = askedModelOf(target, model)
  const [row, shipped, inForce] = [rowOf(asked.name), shippedFacts(asked.name, wire), factsOf(asked, wire)]
  return {
    upstream: name,
    model: target.model,
    fields_like: target.fieldsLike ?? null,
    family: row?.family ?? null,
    maker: row?.maker ?? null,
    protocol,
    wire,
    facts: FACT_NAMES.map((fact) => ({
      name: fact,
      shipped: onWire(shipped[fact]),
      source: sourceOf(row, fact, wire),
      rule_of_model: ruleView(model.serving?.rules?.[fact]),
      rule_of_target: ruleView(target.rules?.[fact]),
      value: onWire(inForce[fact]),
    })),
  }
}

function ruleView(value: FactValue | undefined) {
  return value === undefined ? null : onWire(value)
}

function onWire(value: FactValue): boolean | number | string | string[] {
  return typeof value === 'object' ? [...value] : value
}
