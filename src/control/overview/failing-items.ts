import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { type FaultCode, FAULTS, type FaultPolicy } from '../../core/faults.ts'
import type { AttemptObstacle } from '../../core/model-list-results.ts'
import type { ModelAnswers } from '../../metering/usage/usage-store.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import type { ControlStores } from '../parts.ts'
import type { RawItem } from './attention-item.ts'
import type { Failures } from './attention-failures.ts'

const RECENT_MS = 600_000
/** So few requests say nothing of a model. */
const FEWEST_REQUESTS = 5
/** The newest requests of so many models are looked at, those that fail most first. */
const MODELS_LOOKED_AT = 20
const RECORDS_OF_EACH = 100
const MOST_NAMES = 20
/** A model is healed where no more than one in so many of its newest requests fails. */
const HEALED_AT_ONE_IN = 10

const POLICIES: Readonly<Record<FaultCode, FaultPolicy>> = FAULTS

/** A model of whose requests in the last day more failed at upstreams than were answered. */
interface FailingModel extends ModelAnswers {
  readonly name: string
  readonly recent: Recent
  /** Where they fail; null: not known. */
  readonly upstream: string | null
}

/** How its requests of the last ten minutes ended, as far as upstreams had a part in it. */
interface Recent extends ModelAnswers {
  /** Where most of them failed, and why most got no answer there; null: nothing says so. */
  readonly upstream: string | null
  readonly why: AttemptObstacle | null
}

const NOTHING_RECENT: Recent = { good: 0, failed: 0, upstream: null, why: null }

/**
 * Models that fail, one item for each upstream at which they do: behind several of them stands one cause. What was answered
 * well in the last ten minutes is healed, and so is what was not asked for since others at the same upstream are answered
 * again. Without a failing model nothing is read.
 */
export async function failingItems(
  { catalogue, answers, failures }: FailingIn,
  { nowMs, usage }: { readonly nowMs: number; readonly usage: FailingStore },
): Promise<readonly RawItem[]> {
  const failing = catalogue.models
    .flatMap(({ name }) => {
      const { good = 0, failed = 0 } = answers.get(name) ?? {}
      return good + failed < FEWEST_REQUESTS || failed <= good ? [] : [{ name, good, failed }]
    })
    .toSorted((a, b) => b.failed - a.failed)
  if (failing.length === 0) return []
  const [worstAt, recents] = await Promise.all([
    worstUpstreams(nowMs, usage),
    Promise.all(failing.slice(0, MODELS_LOOKED_AT).map(({ name }) => recentOf(name, nowMs, usage))),
  ])
  const models = failing.map((model, place): FailingModel => {
    const recent = recents[place] ?? NOTHING_RECENT
    const upstream = recent.upstream ?? worstAt.get(model.name) ?? onlyUpstream(model.name, catalogue)
    return { ...model, recent, upstream }
  })
  const groups = Map.groupBy(models, ({ upstream, name }) => JSON.stringify([upstream, upstream ?? name]))
  return [...groups.values()].flatMap((group) => {
    const isBack = isHealed(sumOf(group.map(({ recent }) => recent)))
    const ill = group.filter(({ recent }) => !isHealed(recent) && !(isBack && recent.failed === 0))
    return ill.length === 0 ? [] : [itemOf(ill, catalogue, failures)]
  })
}

interface FailingIn {
  readonly catalogue: ListedCatalogue
  /** How the requests of the last day ended, by model. */
  readonly answers: ReadonlyMap<string, ModelAnswers>
  readonly failures: Pick<Failures, 'recent'>
}

type FailingStore = Pick<ControlStores['usage'], 'list'> & {
  readonly incidents: Pick<ControlStores['usage']['incidents'], 'troubledAtUpstreams'>
}

function isHealed({ good, failed }: ModelAnswers): boolean {
  return good > 0 && failed * HEALED_AT_ONE_IN <= good
}

function sumOf(all: readonly ModelAnswers[]): ModelAnswers {
  return all.reduce((sum, { good, failed }) => ({ good: sum.good + good, failed: sum.failed + failed }), {
    good: 0,
    failed: 0,
  })
}

async function recentOf(model: string, nowMs: number, usage: FailingStore): Promise<Recent> {
  const of = { accountId: null, model, fromMs: nowMs - RECENT_MS }
  const { records } = await usage.list(of, { after: null, limit: RECORDS_OF_EACH })
  const failed = records.filter(({ fault }) => fault !== null && POLICIES[fault].blame === 'upstream')
  return {
    good: records.filter(({ fault, outcome }) => fault === null && outcome === 'completed').length,
    failed: failed.length,
    upstream: mostFrequent(failed.map(lastAsked)),
    why: mostFrequent(failed.map(({ attempts }) => attempts.at(-1)?.why ?? null)),
  }
}

function lastAsked({ upstreamName, attempts }: UsageRecord): string | null {
  return upstreamName ?? attempts.at(-1)?.upstreamName ?? null
}

function mostFrequent<Value extends string>(all: readonly (Value | null)[]): Value | null {
  const groups = Map.groupBy(
    all.filter((each) => each !== null),
    (each) => each,
  )
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null
}

/** The upstream at which most requests of each model failed in the last day, by the sums of hours. */
async function worstUpstreams(nowMs: number, { incidents }: FailingStore): Promise<ReadonlyMap<string, string>> {
  const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS
  const asked = { fromMs: toMs - DAY_MS - HOUR_MS, toMs }
  const hours = await incidents.troubledAtUpstreams(asked, { fewestRequests: 1, failedPercent: 1 })
  const worst = new Map<string, string>()
  for (const [model, own] of Map.groupBy(hours, (hour) => hour.model)) {
    const failedAt = new Map<string, number>()
    for (const { upstream, failed } of own) {
      if (upstream !== null) failedAt.set(upstream, (failedAt.get(upstream) ?? 0) + failed)
    }
    const [first] = [...failedAt].toSorted(([, a], [, b]) => b - a)
    if (first !== undefined) worst.set(model, first[0])
  }
  return worst
}

/** Where a model has targets at one upstream alone, that is where it fails. */
function onlyUpstream(name: string, { models, upstreams }: ListedCatalogue): string | null {
  const ids = new Set(models.find((model) => model.name === name)?.targets.map(({ upstreamId }) => upstreamId))
  const [id] = ids
  return ids.size === 1 ? (upstreams.find((each) => each.id === id)?.name ?? null) : null
}

function itemOf(
  ill: readonly FailingModel[],
  { upstreams }: ListedCatalogue,
  failures: FailingIn['failures'],
): RawItem {
  const [first] = ill
  const found = upstreams.find(({ name }) => name === first?.upstream)
  const names = ill.map(({ name }) => name)
  const { good, failed } = sumOf(ill)
  const isOne = names.length === 1
  const which = isOne ? `the model "${names[0]}"` : `${names.length} models (${shown(names)})`
  const where = found === undefined ? 'its upstreams' : `the upstream "${found.name}"`
  return {
    kind: 'model_failing',
    model: isOne ? (names[0] ?? null) : null,
    upstream: found === undefined ? null : { id: found.id, name: found.name },
    why: mostFrequent(ill.map(({ recent }) => recent.why)),
    listed: isOne ? null : { count: names.length, names: names.slice(0, MOST_NAMES) },
    requests: failures.recent(({ model }) => model !== null && names.includes(model)),
    detail: `Of the last day’s requests for ${which}, ${failed} failed at ${where} and ${good} were answered: test ${where}.`,
  }
}

function shown(names: readonly string[]): string {
  return names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '')
}
