/** Runs a workload in turn through all subjects, so that whatever drifts on the machine drifts for each of them. */
import type { Expectation } from '../load/job.ts'
import type { Subject } from '../subjects/subject.ts'
import type { SubjectName, Workload } from '../workloads.ts'
import { type Series, type Turn, chooseTurns, isQuiet } from './series.ts'
import { makeWarm, runSpell, WARM_UP_MS } from './spell.ts'
import { learnExpectation, type Round, type Stage } from './stage.ts'

export interface Plan {
  /** Turns that should count. */
  readonly turns: number
  readonly durationMs: number
  /** Turns that may be added for disturbed ones. */
  readonly spareTurns: number
}

/** The first turn warms up and never counts. Rejects when an answer is wrong, but for those of other people's gateways. */
export async function interleave(
  stage: Stage,
  subjects: readonly Subject[],
  { workload, plan }: { readonly workload: Workload; readonly plan: Plan },
): Promise<Series> {
  const run = new TurnRun(stage, workload, plan)
  await run.learn(subjects)
  await run.takeTurn()
  const all: Turn[] = []
  const wanted = Math.min(plan.turns, workload.mostTurns)
  const most = wanted + plan.spareTurns
  while (all.filter(isQuiet).length < wanted && all.length < most) all.push(await run.takeTurn())
  const names = run.partners.map(({ name }) => name)
  return { workload, subjects: names, failed: run.failed, requests: run.requests, ...chooseTurns(all) }
}

class TurnRun {
  /** The subjects that still take part. */
  partners: readonly Subject[] = []
  readonly failed: { name: SubjectName; reason: string }[] = []
  readonly requests: Partial<Record<SubjectName, number>> = {}
  readonly #stage: Stage
  readonly #workload: Workload
  readonly #plan: Plan
  readonly #expectations = new Map<SubjectName, Expectation>()

  constructor(stage: Stage, workload: Workload, plan: Plan) {
    this.#stage = stage
    this.#workload = workload
    this.#plan = plan
  }

  /** Finds out what a right answer is. Where bytes pass through, the upstream knows; else who wrote them. */
  async learn(subjects: readonly Subject[]): Promise<void> {
    const passed = await this.#ask(this.#stage.upstream)
    for (const subject of subjects) {
      const writesItself = subject.name === 'translating' || isPeer(subject)
      await this.#orLeave(subject, async () => {
        this.#expectations.set(subject.name, writesItself ? await this.#ask(subject) : passed)
        this.partners = [...this.partners, subject]
      })
    }
  }

  async takeTurn(): Promise<Turn> {
    const turn: Partial<Record<SubjectName, Round>> = {}
    const { spell } = this.#workload
    if (spell.kind === 'after-pause') {
      await this.#warmAll()
      await new Promise((wake) => setTimeout(wake, spell.pauseMs))
    }
    for (const subject of this.partners) {
      await this.#orLeave(subject, async () => {
        const { round, before } = await runSpell(this.#stage, subject, {
          workload: this.#workload,
          expect: this.#expect(subject),
          durationMs: this.#plan.durationMs,
        })
        turn[subject.name] = round
        this.#count(subject, before + round.requests)
      })
    }
    return turn
  }

  /** What a pause takes away must be there before it. */
  async #warmAll(): Promise<void> {
    for (const subject of this.partners) {
      if (subject.name === 'warm') continue
      await this.#orLeave(subject, async () => {
        const round = { workload: this.#workload, expect: this.#expect(subject), durationMs: WARM_UP_MS }
        this.#count(subject, await makeWarm(this.#stage, subject, round))
      })
    }
  }

  #expect({ name }: Subject): Expectation {
    return this.#expectations.get(name) ?? { kind: 'object' }
  }

  async #ask(from: Subject): Promise<Expectation> {
    // Whole answers need not be asked for.
    if (this.#workload.stream) this.#count(from, 1)
    return learnExpectation(from, this.#workload)
  }

  /** What goes wrong with a gateway of other people ends its part; with one of ours, the run. */
  async #orLeave(subject: Subject, step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      if (!isPeer(subject)) throw error
      this.failed.push({ name: subject.name, reason: error instanceof Error ? error.message : String(error) })
      this.partners = this.partners.filter((one) => one !== subject)
    }
  }

  #count({ name }: Subject, requests: number): void {
    this.requests[name] = (this.requests[name] ?? 0) + requests
  }
}

function isPeer({ name }: Subject): boolean {
  return name.startsWith('peer ')
}
