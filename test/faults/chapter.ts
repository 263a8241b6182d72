import { expect, onTestFinished } from 'vitest'
import { Chance } from './chance.ts'
import { Installation } from './installation.ts'
import { type Happenings, happenings, type RoundKind } from './rounds.ts'
import type { BooksPlace } from './written-books.ts'

/** An installation of its own, and rounds on it, each of another kind. */
export interface Chapter {
  readonly seed: number
  readonly rounds: number
}

/** Cuts a run into chapters, each with the seed by which it alone is played again. */
export function chaptersOf(run: { rounds: number; seed: number }, kinds: number): readonly Chapter[] {
  return Array.from({ length: Math.ceil(run.rounds / kinds) }, (_, index) => ({
    seed: run.seed + index,
    rounds: Math.min(kinds, run.rounds - index * kinds),
  }))
}

/** Plays a chapter, and compares all books after each of its rounds. Returns what happened in it. */
export async function playChapter<Means>(
  { seed, rounds }: Chapter,
  about: { place: BooksPlace; kinds: readonly RoundKind<Means>[]; means: Means },
): Promise<Happenings> {
  const { place, kinds, means } = about
  const chance = new Chance(seed)
  const installation = await Installation.make(place, { chance, label: `rounds-${seed}` })
  onTestFinished(() => installation.close())
  for (const kind of chance.shuffled(kinds).slice(0, rounds)) {
    await kind.play(installation, means)
    await installation.check(`after ${kind.name}, with seed ${seed}`)
  }
  return happenings(await installation.evidence())
}

/** Expects that the load of a whole run came to every edge. How often in one chapter depends on how busy the machine is. */
export function expectEveryEdge(chapters: readonly Happenings[]): void {
  expect(rareOf(chapters), `what happened too rarely, of ${JSON.stringify(sumsOf(chapters))}`).toEqual([])
}

/** What happened too rarely, each with how often it is to happen at least. */
export function rareOf(chapters: readonly Happenings[]): readonly (readonly [string, number])[] {
  const sums = sumsOf(chapters)
  return Object.entries(LEAST).filter(([name, least]) => (sums[name] ?? 0) < least)
}

function sumsOf(chapters: readonly Happenings[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.keys(LEAST).map((name) => [
      name,
      chapters.reduce((sum, chapter) => sum + chapter[name as keyof Happenings], 0),
    ]),
  )
}

/** The least that happens in the six rounds of the shortest run. */
const LEAST: Happenings = {
  completed: 300,
  failed: 50,
  aborted: 10,
  cutShort: 1,
  paidBySubscription: 20,
  servedFirst: 20,
  servedNext: 20,
  balanceExhausted: 1,
  quotaExhausted: 1,
  // Rare, as a plan's rest and the balance pay together; test/faults/at-once.test.ts has it for certain.
  subscriptionExhausted: 0,
  rateLimited: 20,
}
