import { ATTEMPTS_LIMIT } from '../core/limits.ts'
import type { Wire } from '../core/wire.ts'
import type { ExplainedTarget, RouteExplanation, RouteQuestion } from '../entitlement/route-explanation.ts'
import type { Candidate } from '../routing/candidate.ts'
import type { Target } from '../routing/catalog.ts'
import type { TargetChoice } from '../routing/choosing.ts'
import type { LearnedRefusal } from '../routing/learned-refusals.ts'
import { speaks } from '../routing/route.ts'
import { chooseModel, fallbackGroups } from './choice/choose-model.ts'
import type { NotedStep } from './exchange/route-notes.ts'
import { rulesOf, shadowRefusals } from './exchange/sending.ts'
import { mayWait, wholeMs } from './exchange/times.ts'
import { faultOfChoice } from './upstream-faults.ts'
import { hedgeAfterMsOf } from './exchange/hedge.ts'
import { UntriedTargets } from './exchange/plan.ts'
import type { LearnedRefusals } from './learned-refusals.ts'
import type { Snapshot } from './snapshot.ts'
import type { ChosenModel, GroupRoute } from './request/prepared.ts'

/** What a choice is made by, as in a request. */
export interface RouteExplainingParts {
  readonly snapshot: Snapshot
  /** A reading of `Clock.elapsed`. */
  readonly now: number
  readonly random: () => number
  readonly learnedRefusals: Pick<LearnedRefusals, 'of'>
}

/** A target that would be asked in its turn, perhaps after a wait; or would not, since the request has ended by then. */
interface ExplainedTurn {
  readonly candidate: Candidate
  readonly mayBeAsked: boolean
  /** How many milliseconds the request waits until the target has rested; null: it is asked at once. */
  readonly waitMs: number | null
}

/**
 * The candidates of a request in the order in which it would ask them, chosen by the code that chooses for requests. Nothing
 * is sent and nothing counted. What depends on a request's body (affinity, what it holds, what it names) is left out, and
 * among equals chance decides, as it does for requests. Throws the Fault that stops a request before its targets are chosen.
 */
export function explainRoute(question: RouteQuestion, parts: RouteExplainingParts): RouteExplanation {
  const { snapshot, now, random } = parts
  const { of, modelName, wire, nowMs } = question
  const chosen = chooseModel(of, modelName, { catalogue: snapshot, wire, nowMs })
  const about = {
    chosen,
    snapshot,
    affinity: null,
    caller: of,
    isSameWireOnly: false,
    protocol: { wire },
    adapters: { isSameWire: (target: Target) => isSameWire(target, wire, snapshot) },
  }
  const untried = new UntriedTargets(about, random, () => fallbacksOf(question, chosen, snapshot))
  let choice = untried.choose(now, { isRetry: false })
  let charged = chosen
  if (choice.kind === 'take' && untried.groupOf(choice.candidate).chosen !== chosen) {
    const group = untried.groupOf(choice.candidate)
    charged = group.chosen
    untried.switchTo(group)
    choice = untried.choose(now, { isRetry: false })
  }
  untried.noteOthers(now)
  const steps = untried.notes.steps() ?? []
  const groupOf = groupsOf(steps, untried)
  const hedgeAfterMs = hedgeAfterMsOf(chosen.model, wire)
  const stop = faultOfChoice(choice, { now, callerId: of.account.id, lacksCredentials: untried.lacksCredentials })
  const order: ExplainedTurn[] = []
  let hedge: Candidate | null = null
  while (choice.kind !== 'none') {
    order.push(turnOf(choice, order.at(-1), now))
    untried.remove(choice.candidate)
    if (order.length === 1 && hedgeAfterMs !== null) hedge = untried.chooseHedge(choice.candidate, now)
    choice = untried.choose(now, { isRetry: true })
  }
  const placeOf = ({ candidate }: NotedStep) => {
    const place = order.findIndex((each) => each.candidate === candidate)
    return place === -1 ? Infinity : place
  }
  const ordered = steps.toSorted((a, b) => compare(placeOf(a), placeOf(b)))
  return {
    model: chosen.model,
    group: charged.group,
    prices: charged.prices,
    hedgeAfterMs,
    fault: order[0]?.mayBeAsked === true ? null : stop,
    candidates: ordered.map((step) => {
      const there = step.candidate === null ? undefined : groupOf.get(step.candidate)
      return {
        ...explained(step, placeOf(step), order),
        ...shadowOn(step, there ?? chosen, now),
        group: there?.group ?? null,
        why: step.candidate?.restsWhy(now) ?? null,
        isHedge: hedge !== null && step.candidate === hedge,
        learned: learnedAt(step.target, parts),
      }
    }),
  }
}

/** A request ends with the first target that it does not wait for. */
function turnOf(
  choice: Exclude<TargetChoice, { kind: 'none' }>,
  before: ExplainedTurn | undefined,
  now: number,
): ExplainedTurn {
  const { candidate } = choice
  const isOver = before?.mayBeAsked === false
  if (choice.kind === 'take') return { candidate, mayBeAsked: !isOver, waitMs: null }
  const ms = choice.at - now
  const isWaitedFor = !isOver && mayWait(ms, candidate.upstream)
  return { candidate, mayBeAsked: isWaitedFor, waitMs: isWaitedFor ? wholeMs(ms) : null }
}

/** The group that each candidate is asked in, before any is taken out. */
function groupsOf(steps: readonly NotedStep[], untried: UntriedTargets): ReadonlyMap<Candidate, ChosenModel> {
  const candidates = steps.flatMap(({ candidate }) => candidate ?? [])
  return new Map(candidates.map((candidate) => [candidate, untried.groupOf(candidate).chosen]))
}

function fallbacksOf(
  { of: caller, wire, nowMs }: RouteQuestion,
  chosen: ChosenModel,
  snapshot: Snapshot,
): readonly GroupRoute[] {
  const groups = fallbackGroups(caller, chosen, { catalogue: snapshot, wire, nowMs })
  return groups.map((each) => ({ chosen: each, affinity: null }))
}

function explained(
  { target, name, reason, restSeconds }: NotedStep,
  place: number,
  order: readonly ExplainedTurn[],
): Omit<ExplainedTarget, 'isHedge' | 'group' | 'learned' | 'why'> {
  const turn = place < ATTEMPTS_LIMIT ? order[place] : undefined
  const { model, priority, weight } = target
  return {
    name,
    reason,
    restSeconds,
    model,
    priority,
    weight,
    attempt: turn?.mayBeAsked === true ? place + 1 : null,
    waitMs: turn?.waitMs ?? null,
  }
}

/** Also for those that would not be asked: a rule in shadow says the same of all. */
function shadowOn({ candidate }: NotedStep, chosen: ChosenModel, now: number): Pick<ExplainedTarget, 'shadow'> {
  const rules = candidate === null ? [] : rulesOf(shadowRefusals(candidate, chosen, now))
  return rules.length === 0 ? {} : { shadow: rules }
}

function isSameWire({ upstreamId }: Target, wire: Wire, { upstreamsById }: Snapshot): boolean {
  const inUse = upstreamsById.get(upstreamId)
  return inUse !== undefined && speaks(inUse.upstream.protocol, wire)
}

function learnedAt(target: Target, { snapshot, learnedRefusals }: RouteExplainingParts): readonly LearnedRefusal[] {
  const upstream = snapshot.upstreamsById.get(target.upstreamId)?.upstream
  return upstream === undefined ? [] : learnedRefusals.of({ upstream, target })
}

/** Two that are never asked are alike: `Infinity - Infinity` says nothing. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
