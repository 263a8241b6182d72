import { withCloudAdvice } from '../../causes/cloud-refusal-texts.ts'
import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { type FaultCode, FAULTS, type FaultPolicy } from '../../core/faults.ts'
import type { TroubledHour } from '../../metering/usage/incidents.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import type { RawItem } from './attention-item.ts'
import type { Failures } from './attention-failures.ts'
import { endsOf, type FailingAsk, type JudgedRequest, stretchOf } from './failing-requests.ts'
import { failingStretch } from './failing-stretch.ts'

/** The newest requests of so many models and upstreams are looked at, those that fail most first. */
const MODELS_LOOKED_AT = 20
const UPSTREAMS_LOOKED_AT = 10
const MOST_NAMES = 20
/** An hour is troubled from here on. */
const TROUBLE = { fewestRequests: 1, failedPercent: 25 }

const POLICIES: Readonly<Record<FaultCode, FaultPolicy>> = FAULTS

interface FailingIn {
  readonly catalogue: ListedCatalogue
  readonly failures: Pick<Failures, 'recent' | 'failedAtUpstreams'>
}

/** A model that failed lately: where, as far as that is known, and how its newest requests ended. */
interface FailingModel {
  readonly name: string
  /** null: not known. */
  readonly upstream: string | null
  readonly ended: readonly JudgedRequest[]
}

/** One cause: what fails, since when, and the requests that say so. */
interface FailureCause {
  readonly upstream: string | null
  readonly isWholeUpstream: boolean
  readonly names: readonly string[]
  readonly sinceMs: number
  readonly ended: readonly JudgedRequest[]
}

/**
 * Upstreams that fail, one item each however many models are served there; and models that fail at an upstream that answers
 * for others, one item for each upstream. Judged by the newest requests alone, so that an item comes at once and goes ten
 * minutes after the last failure. Where no hour of the last day was troubled and no request failed lately, one sum is read.
 */
export async function failingItems(found: FailingIn, ask: FailingAsk): Promise<readonly RawItem[]> {
  const hours = await troubledHours(ask)
  const models = await failingModels(found, hours, ask)
  if (models.length === 0) return []
  const upstreams = mostOf(
    models.flatMap(({ ended }) =>
      ended.flatMap(({ isFailed, upstream }) => (isFailed && upstream !== null ? [upstream] : [])),
    ),
  )
  const looked = await Promise.all(
    upstreams.slice(0, UPSTREAMS_LOOKED_AT).map((name) => lookAtUpstream(name, models, { hours, ask })),
  )
  const causes = looked.flatMap(({ cause }) => cause ?? [])
  // What failed while its whole upstream did is explained by that, though it was not asked for since.
  const isExplained = ({ upstream, ended }: FailingModel): boolean =>
    looked.some(
      (each) => each.upstream === upstream && (ended.findLast(({ isFailed }) => isFailed)?.at ?? 0) <= each.untilMs,
    )
  const others = await causesOfModels(
    models.filter((model) => !isExplained(model)),
    hours,
    ask,
  )
  return [...causes, ...others].map((cause) => itemOf(cause, found, hours))
}

/** Hours of the last day in which a part of the requests failed, by model and upstream, from the roll-ups. */
async function troubledHours({ nowMs, usage }: FailingAsk): Promise<readonly TroubledHour[]> {
  const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS
  return usage.incidents.troubledAtUpstreams({ fromMs: toMs - DAY_MS - HOUR_MS, toMs }, TROUBLE)
}

/** Models of which requests failed lately, with their newest requests. */
async function failingModels(
  { catalogue, failures }: FailingIn,
  hours: readonly TroubledHour[],
  ask: FailingAsk,
): Promise<readonly FailingModel[]> {
  const listed = new Set(catalogue.models.map(({ name }) => name))
  const failed = [
    ...failures.failedAtUpstreams,
    ...hours.flatMap((hour) => Array.from({ length: Math.min(failedOf(hour), MODELS_LOOKED_AT) }, () => hour.model)),
  ]
  const names = mostOf(failed.filter((name) => listed.has(name))).slice(0, MODELS_LOOKED_AT)
  return Promise.all(
    names.map(async (name) => {
      const ended = await endsOf({ model: name }, ask)
      const [first = null] = mostOf(
        ended.flatMap(({ isFailed, upstream }) => (isFailed && upstream !== null ? [upstream] : [])),
      )
      const upstream = first ?? worstUpstream(name, hours) ?? onlyUpstream(name, catalogue)
      // What found every target resting was sent nowhere: it failed where the others did.
      return {
        name,
        upstream,
        ended: ended.map((each) => (each.isFailed ? { ...each, upstream: each.upstream ?? upstream } : each)),
      }
    }),
  )
}

interface LookedAt {
  readonly upstream: string
  /** null: it answers, for other models at least. */
  readonly cause: FailureCause | null
  /** The end of the time that it failed as a whole, in epoch milliseconds; 0: it did not. */
  readonly untilMs: number
}

/** The upstream as one cause, by all that was sent there. */
async function lookAtUpstream(
  upstream: string,
  models: readonly FailingModel[],
  { hours, ask }: { readonly hours: readonly TroubledHour[]; readonly ask: FailingAsk },
): Promise<LookedAt> {
  const own = models.flatMap(({ ended }) => ended.filter((each) => each.upstream === upstream))
  const sent = await endsOf({ upstream }, ask)
  const ended = [...new Map([...sent, ...own].map((each) => [each.id, each])).values()].toSorted((a, b) => a.at - b.at)
  const sinceMs = await stretchOf({ upstream }, ended, { ask, hours })
  if (sinceMs === null) return { upstream, cause: null, untilMs: failingStretch(ended, ask.nowMs)?.untilMs ?? 0 }
  const inStretch = ended.filter(({ at, isFailed }) => isFailed && at >= sinceMs)
  const ofHours = hours.filter((hour) => hour.upstream === upstream && hour.hourAt >= sinceMs)
  const names = [...new Set([...inStretch.map(({ model }) => model), ...ofHours.map(({ model }) => model)])]
  return { upstream, cause: { upstream, isWholeUpstream: true, names, sinceMs, ended: inStretch }, untilMs: Infinity }
}

/** Models that fail by themselves, one cause for each upstream. */
async function causesOfModels(
  models: readonly FailingModel[],
  hours: readonly TroubledHour[],
  ask: FailingAsk,
): Promise<readonly FailureCause[]> {
  const judged = await Promise.all(
    models.map(async (model) => ({
      ...model,
      sinceMs: await stretchOf({ model: model.name }, model.ended, { ask, hours }),
    })),
  )
  const ill = judged.flatMap((model) => (model.sinceMs === null ? [] : [{ ...model, sinceMs: model.sinceMs }]))
  return [...Map.groupBy(ill, ({ upstream, name }) => JSON.stringify([upstream, upstream ?? name])).values()].flatMap(
    (group) => {
      const [first] = group
      if (first === undefined) return []
      const ended = group.flatMap((model) => model.ended.filter(({ at, isFailed }) => isFailed && at >= model.sinceMs))
      return [
        {
          upstream: first.upstream,
          isWholeUpstream: false,
          names: group.map(({ name }) => name),
          sinceMs: Math.min(...group.map(({ sinceMs }) => sinceMs)),
          ended,
        },
      ]
    },
  )
}

/** The values, each once, those that are there most often first. */
function mostOf<Value extends string>(all: readonly Value[]): readonly Value[] {
  return [...Map.groupBy(all, (each) => each)].toSorted(([, a], [, b]) => b.length - a.length).map(([value]) => value)
}

/** How many failed for which upstreams are to blame. */
function failedOf({ faults }: Pick<TroubledHour, 'faults'>): number {
  return faults.reduce((sum, { fault, requests }) => (POLICIES[fault].blame === 'upstream' ? sum + requests : sum), 0)
}

/** The upstream at which most requests of a model failed in the last day. */
function worstUpstream(model: string, hours: readonly TroubledHour[]): string | null {
  const failedAt = new Map<string, number>()
  for (const hour of hours) {
    if (hour.model === model && hour.upstream !== null)
      failedAt.set(hour.upstream, (failedAt.get(hour.upstream) ?? 0) + failedOf(hour))
  }
  return [...failedAt].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/** Where a model has targets at one upstream alone, that is where it fails. */
function onlyUpstream(name: string, { models, upstreams }: ListedCatalogue): string | null {
  const ids = new Set(models.find((model) => model.name === name)?.targets.map(({ upstreamId }) => upstreamId))
  const [id] = ids
  return ids.size === 1 ? (upstreams.find((each) => each.id === id)?.name ?? null) : null
}

function itemOf(cause: FailureCause, { catalogue, failures }: FailingIn, hours: readonly TroubledHour[]): RawItem {
  const found = catalogue.upstreams.find(({ name }) => name === cause.upstream)
  const names = cause.names.toSorted()
  const isOne = !cause.isWholeUpstream && names.length === 1
  const [why = null] = mostOf(cause.ended.flatMap((each) => each.why ?? []))
  const [status = null] = mostOf(cause.ended.flatMap((each) => (each.status === null ? [] : [String(each.status)])))
  const [said = null] = why === null ? mostOf(cause.ended.flatMap((each) => each.said ?? [])) : []
  const failed = countOf(cause, hours)
  const which = isOne
    ? `the model "${names[0]}"`
    : `${names.length === 1 ? 'one model' : `${names.length} models`} (${shown(names)})`
  const where = found === undefined ? 'its upstreams' : `the upstream "${found.name}"`
  return {
    kind: 'model_failing',
    model: isOne ? (names[0] ?? null) : null,
    upstream: found === undefined ? null : { id: found.id, name: found.name },
    why,
    said,
    status: why === null && status !== null ? Number(status) : null,
    listed: isOne ? null : { count: names.length, names: names.slice(0, MOST_NAMES) },
    failed,
    since: new Date(cause.sinceMs).toISOString(),
    requests: failures.recent(
      ({ model, fault }) =>
        model !== null && names.includes(model) && fault !== null && POLICIES[fault].blame === 'upstream',
    ),
    detail: withCloudAdvice(
      `Since ${new Date(cause.sinceMs).toISOString()} ${failed} requests for ${which} failed at ${where}: test ${where}.`,
      said,
    ),
  }
}

/** What failed since it began: of those that were looked at, or by the sums of the hours since where these are more. */
function countOf({ upstream, names, sinceMs, ended }: FailureCause, hours: readonly TroubledHour[]): number {
  const since = hours.filter(
    (hour) => hour.hourAt + HOUR_MS > sinceMs && names.includes(hour.model) && (hour.upstream ?? upstream) === upstream,
  )
  return Math.max(
    ended.length,
    since.reduce((sum, hour) => sum + failedOf(hour), 0),
  )
}

function shown(names: readonly string[]): string {
  return names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '')
}
